/** Imports a module. Needs its own file, because code that V8 compiled ahead cannot import modules in Node 20. */
module.exports = (name) => import(name);
