/** Names with a meaning in JavaScript, TypeScript or printed code, for tests of names that users choose. */

/** Names that must work like any other property, map key or value. */
export const outsideNames: readonly string[] = [
  // Members of every object, of functions and of promises.
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['prototype', 'then', 'catch', 'toJSON', 'length', 'name', 'caller', 'arguments', 'apply', 'call', 'bind'],
  // Words of the languages.
  ...['class', 'default', 'delete', 'enum', 'export', 'function', 'import', 'in', 'interface', 'new', 'null', 'return'],
  ...[
    'static',
    'this',
    'true',
    'typeof',
    'var',
    'void',
    'with',
    'yield',
    'await',
    'async',
    'of',
    'any',
    'never',
    'eval',
  ],
  ...['undefined', 'NaN', 'Infinity', 'Symbol(x)'],
  // Names that generated code uses itself.
  ...['value', 'path', 'errors', 'unknown', 'object', 'key', 'self', 'field', 'getOwn', 'Schema', 'Record', 'Omit'],
  ...[
    'apiVersion',
    'kind',
    'metadata',
    'spec',
    'status',
    'items',
    'properties',
    'type',
    'required',
    '$ref',
    'ObjectMeta',
  ],
  // Delimiters of texts, comments, templates, patterns, pointers and paths.
  ...[
    "it's",
    'say "hi"',
    '`tick`',
    '`',
    '$' + '{x}',
    '$' + '{process.exit(1)}',
    'a*/b',
    '*/ export const evil = 1; /*',
    '/*',
    '//',
  ],
  ...['<!--', '-->', '</script>', '\\', 'a\\', "\\'", '$&', "$'", '$$', '#', '|', '*', '@default', '{@link x}', '<<'],
  ...['-', '--', '.', '..', '/', '~', '~0', '~1', 'a/b', 'a.b', 'a[0]', '[]', '[key]', 'f:a', 'k:{}', 'v:1', 'i:0'],
  // Characters that end lines, are invisible, or are invalid alone.
  ...['\n', 'a\nb', '\r', '\t', '\u2028', '\u2029', '\u0000', '\u0007', '\ufeff', '\u202e', '\ud800', ' ', '  a', ''],
  // Names that are equal in another case, in another normal form, or as identifiers.
  ...['ſ', 'K', 'İ', 'é', 'e\u0301', '😀', 'Foo', 'foo', 'FOO', 'foo-bar', 'foo_bar', 'fooBar', 'foo bar', 'fooBars'],
  ...['0', '1', '01', '1e3', '-1', '0x1', '$', '_', '__', 'CON', 'nul', 'aux', 'COM1'],
];
