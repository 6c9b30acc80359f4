import type { Q } from 'q'
import zz = require('zz')

@Injectable()
export class A<T> extends B implements C {
  @Prop() x: string
  private foo = (a: number) => 1

  /** Says bar. */
  @M()
  bar<U>(x: U): void { this.foo(1) }
}
abstract class AB { abstract q(): void }
/** I. */
export interface I { a(): void }
export type T = { a: 1 }
type Id = string
enum E { A }
namespace N.M { export function f() {} }
declare module 'x' { function g(): void }
declare function hh(a: string): void
function ov(a: string): void
function ov(a: any) { f<number>(a) }
export default function (a: number) {}
