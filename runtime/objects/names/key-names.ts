/** Keys and values inside objects: labels, annotations, config keys, environment variables. */

import { byteLength } from '../printing.js';
import { dns1123Subdomain } from './dns-names.js';
import type { NameCheck } from './name-patterns.js';
import { allOf, none, patternCheck, patternProblem, prefixEach, tooLongName, wholeMatch } from './name-patterns.js';

const qualifiedSource = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const maxName = 63;
const maxConfigKey = 253;

const qualifiedExpression = wholeMatch(qualifiedSource);
const qualifiedProblem = patternProblem({
  source: qualifiedSource,
  meaning:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
});
const slashesProblem = `a qualified name ${qualifiedProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

/** Checks a label or annotation key: a name of at most 63 bytes, after an optional DNS subdomain and slash. */
export const qualifiedNameCheck: NameCheck = (key) => {
  const slash = key.indexOf('/');
  if (slash === -1) return namePart(key);
  if (key.indexOf('/', slash + 1) !== -1) return [slashesProblem];
  const prefix = prefixPart(key.slice(0, slash));
  const name = namePart(key.slice(slash + 1));
  return prefix.length === 0 ? name : [...prefix, ...name];
};

function prefixPart(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return prefixEach('prefix part ', dns1123Subdomain(prefix));
}

function namePart(name: string): readonly string[] {
  const problems: string[] = [];
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > maxName) problems.push(`name part ${tooLongName(maxName)}`);
  if (!qualifiedExpression.test(name)) problems.push(`name part ${qualifiedProblem}`);
  return problems.length === 0 ? none : problems;
}

/** A label value: empty, or like the name of a key; at most 63 bytes. */
export const labelValue: NameCheck = patternCheck(
  {
    source: `(${qualifiedSource})?`,
    meaning:
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
      'and must start and end with an alphanumeric character',
    examples: ['MyValue', 'my_value', '12345'],
  },
  maxName,
);

/** Checks an annotation key: a qualified name; its prefix may have upper case. */
export const annotationKey: NameCheck = (key) => qualifiedNameCheck(key.toLowerCase());

const notADirectory: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`must not be '${name}'`];
  return name.startsWith('..') ? ["must not start with '..'"] : none;
};

/** A key of a ConfigMap or Secret, usable as a file name; at most 253 bytes. */
export const configMapKey: NameCheck = allOf(
  patternCheck(
    {
      source: '[-._a-zA-Z0-9]+',
      meaning: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      examples: ['key.name', 'KEY_NAME', 'key-name'],
    },
    maxConfigKey,
  ),
  notADirectory,
);

/** The name of an environment variable. */
export const envVarName: NameCheck = allOf(
  patternCheck({
    source: '[-._a-zA-Z][-._a-zA-Z0-9]*',
    meaning:
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', " +
      'and must not start with a digit',
    examples: ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
  }),
  notADirectory,
);

/** Checks an identifier of C. */
export const cIdentifier: NameCheck = patternCheck({
  source: '[A-Za-z_][A-Za-z0-9_]*',
  meaning:
    "a valid C identifier must start with alphabetic character or '_', " +
    "followed by a string of alphanumeric characters or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName'],
});
