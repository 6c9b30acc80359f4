import X, { a as b, c } from 'm';
import * as ns from "n";
import 's';
export { q } from 'z';
const fs = require('fs'), { u, v: w } = require('tt');

/** The default. */
export default class K extends L {
  foo = () => 1;
  static #p() {}
  /** Makes one. */
  constructor() { super(); this.run(); }
  get z() { return new ns.Thing(); }
}

// arrow
export const f = async (x) => g(x);
const h = function () {}, i = () => h();

/* run */
module.exports.run = function () { a.b.c(); };

const o = {
  m() {},
  n: () => 1,
  plain: 2,
};

function* gen() {
  const local = () => 1;
  yield local();
}

const el = <Foo.Bar a={1}><Baz /><div>{f()}</div></Foo.Bar>;
import('dyn');
