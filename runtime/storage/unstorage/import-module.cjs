/** Imports a module. A file of its own, as code that V8 compiled ahead cannot import by itself in Node 20. */
module.exports = (name) => import(name);
