import { ShoppingCart, renderTotal } from './cart';

/** The panel at the right of the shop's page. */
export function CartPanel(props: { cart: ShoppingCart }) {
  return <aside className="cart">{renderTotal(props.cart)}</aside>;
}
