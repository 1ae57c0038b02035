/** Reads the headers that name media types: Content-Type has one with parameters, Accept has many with weights. */

/** A media type and its parameters; names in lower case, values as written. */
export interface MediaType {
  /** As `application/json`. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** One choice of an Accept header. */
export interface AcceptClause {
  /** Such as `application/json`, `application/*` or `*\/*`, with its case as written. */
  readonly type: string;
  /** Without the weight; names with their case as written. */
  readonly parameters: ReadonlyMap<string, string>;
  /** 1 if the header has none. A weight of 0 does not exclude the type. */
  readonly weight: number;
}

/** The most choices that are read; no client sends as many. */
const maxClauses = 64;

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const typeExpression = new RegExp(`^${token}(?:/${token})?$`);
const parameterExpression = new RegExp(`[ \\t]*;[ \\t]*(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")`, 'y');

/** Reads a Content-Type header (RFC 9110, 8.3). Returns `undefined` if it is malformed or repeats a parameter. */
export function parseMediaType(header: string): MediaType | undefined {
  const semicolon = header.indexOf(';');
  const end = semicolon === -1 ? header.length : semicolon;
  const type = header.slice(0, end).trim().toLowerCase();
  if (!typeExpression.test(type)) return undefined;
  const parameters = new Map<string, string>();
  let at = end;
  while (/[^ \t;]/.test(header.slice(at))) {
    parameterExpression.lastIndex = at;
    const match = parameterExpression.exec(header);
    const name = match?.[1]?.toLowerCase();
    if (match === null || name === undefined || parameters.has(name)) return undefined;
    parameters.set(name, match[2] ?? (match[3] ?? '').replace(/\\(.)/g, '$1'));
    at += match[0].length;
  }
  return { type, parameters };
}

/** Reads an Accept header, best choice first. Skips texts that are not media types. */
export function parseAccept(header: string): readonly AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',', maxClauses)) {
    const clause = parseClause(part);
    if (clause !== undefined) insert(clauses, clause);
  }
  return clauses;
}

function parseClause(part: string): AcceptClause | undefined {
  const [first = '', ...rest] = part.split(';');
  const type = first.trim() === '*' ? '*/*' : first.trim();
  if (type.split('/').length !== 2) return undefined;
  const parameters = new Map<string, string>();
  let weight = 1;
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    if (equals === -1) continue;
    const name = parameter.slice(0, equals).trim();
    const value = parameter.slice(equals + 1).trim();
    if (name === 'q') weight = Number.parseFloat(value) || 0;
    else parameters.set(name, value);
  }
  const [main = '', sub = ''] = type.split('/');
  return { type: `${main.trim()}/${sub.trim()}`, parameters, weight };
}

/** Inserts a choice in order: moves it forward past all worse choices. */
function insert(clauses: AcceptClause[], clause: AcceptClause): void {
  let at = clauses.length;
  for (; at > 0; at--) {
    const before = clauses[at - 1];
    if (before === undefined || !isBetter(clause, before)) break;
  }
  clauses.splice(at, 0, clause);
}

/** Returns whether `a` is better: by a higher weight, or by having no wildcard, whatever the weight. */
function isBetter(a: AcceptClause, b: AcceptClause): boolean {
  if (a.weight > b.weight) return true;
  if (!a.type.startsWith('*/') && b.type.startsWith('*/')) return true;
  return !a.type.endsWith('/*') && b.type.endsWith('/*');
}

/** Returns whether a choice matches a media type. */
export function clauseMatches(clause: AcceptClause, type: string): boolean {
  if (clause.type === type || clause.type === '*/*') return true;
  return clause.type.endsWith('/*') && type.startsWith(clause.type.slice(0, -1));
}

/** Returns the members of a list (RFC 9110, 5.6.1) without blanks around them. An empty text has one empty member. */
export function listMembers(text: string): string[] {
  return text.split(',').map((member) => member.trim());
}
