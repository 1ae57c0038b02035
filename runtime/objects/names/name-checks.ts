/** Checks of names: DNS names, and keys and values inside objects. Limits of texts count bytes. */

/** Checks a name. Returns one message per problem. */
export type NameCheck = (name: string) => readonly string[];

/** A pattern that a whole name must match, and the words for a name that does not. */
interface NamePattern {
  /** Without anchors, as the message quotes it. */
  readonly source: string;
  /** The meaning of the pattern, in words. */
  readonly meaning: string;
  readonly examples: readonly string[];
}

/** Returns `must be no more than 63 characters`. */
export function tooLongName(maximum: number): string {
  return `must be no more than ${maximum} characters`;
}

/** Returns the message for a name that does not match a pattern. */
function patternProblem({ source, meaning, examples }: NamePattern): string {
  if (examples.length === 0) return `${meaning} (regex used for validation is '${source}')`;
  const listed = examples.map((example) => `'${example}', `).join(' or ');
  return `${meaning} (e.g. ${listed}regex used for validation is '${source}')`;
}

/**
 * Compiles a pattern that must match a whole text. Patterns here have no nested repeats, so they run in linear time.
 */
function wholeMatch(source: string): RegExp {
  return new RegExp(`^(?:${source})$`);
}

/** Checks a length in bytes and a pattern. */
export function patternCheck(pattern: NamePattern, maxLength = Number.POSITIVE_INFINITY): NameCheck {
  const expression = wholeMatch(pattern.source);
  const problem = patternProblem(pattern);
  return (name) => {
    const tooLong = name.length > maxLength || byteLength(name) > maxLength;
    const matches = expression.test(name);
    if (!tooLong && matches) return none;
    return [...(tooLong ? [tooLongName(maxLength)] : []), ...(matches ? [] : [problem])];
  };
}

/** The answer of a check without problems. Shared, because most checks have this answer. */
export const none: readonly string[] = [];

/** Runs checks one after the other and lists all their problems. */
function allOf(...checks: readonly NameCheck[]): NameCheck {
  return (name) => checks.flatMap((check) => check(name));
}

/** Puts a text before each message. */
export function prefixEach(prefix: string, messages: readonly string[]): readonly string[] {
  return messages.map((message) => prefix + message);
}

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const maxLabel = 63;
const maxSubdomain = 253;

const label1123Pattern = {
  source: label1123,
  meaning:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    'and must start and end with an alphanumeric character',
  examples: ['my-name', '123-abc'],
};
const label1123Expression = wholeMatch(label1123);
const subdomain1123Expression = wholeMatch(subdomain1123);
const label1123Problem = patternProblem(label1123Pattern);

/** Checks an RFC 1123 label in lower case, at most 63 bytes. */
export const dns1123Label: NameCheck = (name) => {
  const tooLong = byteLength(name) > maxLabel;
  if (!tooLong && label1123Expression.test(name)) return none;
  const problems = tooLong ? [tooLongName(maxLabel)] : [];
  if (label1123Expression.test(name)) return problems;
  // A name that is valid except for its dots gets this message only.
  return [...problems, subdomain1123Expression.test(name) ? 'must not contain dots' : label1123Problem];
};

/** RFC 1123 subdomain in lower case, at most 253 bytes. */
export const dns1123Subdomain: NameCheck = patternCheck(
  {
    source: subdomain1123,
    meaning:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
      'and must start and end with an alphanumeric character',
    examples: ['example.com'],
  },
  maxSubdomain,
);

/** RFC 1035 label in lower case: begins with a letter, at most 63 bytes. */
export const dns1035Label: NameCheck = patternCheck(
  {
    source: '[a-z]([-a-z0-9]*[a-z0-9])?',
    meaning:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
      'start with an alphabetic character, and end with an alphanumeric character',
    examples: ['my-name', 'abc-123'],
  },
  maxLabel,
);

/** `*.` and a subdomain, at most 253 bytes. */
export const wildcardSubdomain: NameCheck = patternCheck(
  {
    source: `\\*\\.${subdomain1123}`,
    meaning:
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, " +
      "which must consist of lower case alphanumeric characters, '-' or '.' " +
      'and end with an alphanumeric character',
    examples: ['*.example.com'],
  },
  maxSubdomain,
);

/** Checks a domain with a dot in it (`example.com`). Each label has at most 63 bytes; a dot at the end is allowed. */
export const domainName: NameCheck = (name) => {
  if (name === '') return ['Required value'];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const problems = dns1123Subdomain(domain);
  if (problems.length > 0) return problems;
  const labels = domain.split('.');
  if (labels.length < 2) return ['should be a domain with at least two segments separated by dots'];
  return labels.flatMap(dns1123Label);
};

/** Checks a domain of at least three parts (`check.example.com`). */
export const qualifiedDomainName: NameCheck = (name) => {
  if (name === '') return ['Required value'];
  const problems = dns1123Subdomain(name);
  if (problems.length > 0 || name.split('.').length >= 3) return problems;
  return ['should be a domain with at least three segments separated by dots'];
};

const pathSource = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathExpression = wholeMatch(pathSource);
const pathProblem = `Invalid path (regex used for validation is '${pathSource}')`;

/** Checks a domain, a slash and a path (`example.com/signer`), the names of finalizers and controllers. */
export const domainPrefixedPath: NameCheck = (name) => {
  if (name === '') return ['Required value'];
  const slash = name.indexOf('/');
  const [host, path] = slash === -1 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)];
  if (host === '' || path === '') return ['must be a domain-prefixed path (such as "acme.io/foo")'];
  const problems = dns1123Subdomain(host);
  return pathExpression.test(path) ? problems : [...problems, pathProblem];
};

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

/** Checks an identifier of the language C. */
export const cIdentifier: NameCheck = patternCheck({
  source: '[A-Za-z_][A-Za-z0-9_]*',
  meaning:
    "a valid C identifier must start with alphabetic character or '_', " +
    "followed by a string of alphanumeric characters or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName'],
});

/**
 * Counts the bytes of a text in UTF-8, the unit of length limits. Uses Buffer if there is one, because it is faster;
 * browsers have none.
 */
export const byteLength: (text: string) => number =
  typeof Buffer === 'undefined'
    ? (text) => new TextEncoder().encode(text).length
    : (text) => Buffer.byteLength(text, 'utf8');
