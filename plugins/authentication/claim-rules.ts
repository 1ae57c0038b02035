/** Makes a user of the claims of a token, by the rules and mappings of an AuthenticationConfiguration. */
import type { CelValue, Expr, Expression } from '../../runtime/cel/index.js';
import type { Authentication, JsonObject, UserInfo } from '../../runtime/contract/index.js';
import { getOwn, isStringArray } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { runAccess } from '../access-expressions.js';
import { groupsOf } from './oidc.js';
import { authenticatedUser } from './user-info.js';

/** A claim with a prefix, or an expression about all claims. */
export type ClaimMapping = { readonly claim: string; readonly prefix: string } | { readonly expression: Expression };

/** An expression that must be true, with the message of the refusal if it is not. */
export interface ExpressionRule {
  readonly expression: Expression;
  readonly message: string;
}

/** How claims become a user. */
export interface ClaimRules {
  readonly username: ClaimMapping;
  readonly groups?: ClaimMapping | undefined;
  readonly uid?: ClaimMapping | undefined;
  /** Expressions for texts or lists of texts, by the key in `extra`. */
  readonly extra: ReadonlyMap<string, Expression>;
  /** Claims that tokens must have, with these texts. */
  readonly requiredClaims: ReadonlyMap<string, string>;
  readonly claimRules: readonly ExpressionRule[];
  /** Rules for the user that the claims make. */
  readonly userRules: readonly ExpressionRule[];
}

/** Makes the user, or refuses the claims. */
export function mapClaims(claims: JsonObject, rules: ClaimRules): Authentication {
  const mapped = readUser(claims, rules);
  if (!mapped.ok) return { refused: `oidc: ${mapped.problem}` };
  for (const [claim, wanted] of rules.requiredClaims) {
    if (getOwn(claims, claim) !== wanted) return { refused: `oidc: the claim ${quote(claim)} is not as required` };
  }
  const { name, uid, groups, extra } = mapped.value;
  const user = { username: name, uid, groups: [...groups], extra };
  const problem = brokenRule(rules.claimRules, { claims }) ?? brokenRule(rules.userRules, { user });
  if (problem !== undefined) return { refused: `oidc: ${problem}` };
  return { user: { ...authenticatedUser(name, uid, groups), extra } };
}

type Mapped<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const no = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem });

function readUser(claims: JsonObject, { username, groups, uid, extra }: ClaimRules): Mapped<UserInfo> {
  const name = readText(claims, username, 'username');
  if (!name.ok) return name;
  if (name.value === '') return no('the username is empty');
  if ('claim' in username && username.claim === 'email' && (getOwn(claims, 'email_verified') ?? true) !== true) {
    return no('the email address is not verified');
  }
  const named = readGroups(claims, groups);
  if (!named.ok) return named;
  const id = uid ? readText(claims, uid, 'uid') : { ok: true as const, value: '' };
  if (!id.ok) return id;
  const extras: Record<string, readonly string[]> = {};
  for (const [key, expression] of extra) {
    const values = readTexts(claims, expression, `extra ${quote(key)}`);
    if (!values.ok) return values;
    if (values.value.length > 0) extras[key] = values.value;
  }
  return { ok: true, value: { name: name.value, uid: id.value, groups: named.value, extra: extras } };
}

function readText(claims: JsonObject, mapping: ClaimMapping, what: string): Mapped<string> {
  if ('claim' in mapping) {
    const value = getOwn(claims, mapping.claim);
    if (typeof value === 'string') return { ok: true, value: value === '' ? '' : mapping.prefix + value };
    return no(`the claim ${quote(mapping.claim)} is not a text`);
  }
  const result = runAccess(mapping.expression, { claims });
  if (!result.ok) return no(`${what}: ${result.problem}`);
  return typeof result.value === 'string' ? { ok: true, value: result.value } : no(`${what}: the value is not a text`);
}

function readGroups(claims: JsonObject, mapping: ClaimMapping | undefined): Mapped<readonly string[]> {
  if (!mapping) return { ok: true, value: [] };
  if ('expression' in mapping) return readTexts(claims, mapping.expression, 'groups');
  const groups = groupsOf(claims, mapping.claim);
  if (groups) return { ok: true, value: groups.map((group) => mapping.prefix + group) };
  return no(`the claim ${quote(mapping.claim)} is neither a text nor a list of texts`);
}

/** Reads one text or a list. Empty texts and null count as absent. */
function readTexts(claims: JsonObject, expression: Expression, what: string): Mapped<readonly string[]> {
  const result = runAccess(expression, { claims });
  if (!result.ok) return no(`${what}: ${result.problem}`);
  const texts = textsOf(result.value);
  if (texts) return { ok: true, value: texts.filter((text) => text !== '') };
  return no(`${what}: the value is neither a text nor a list of texts`);
}

function textsOf(value: CelValue): readonly string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return [value];
  return isStringArray(value) ? value : undefined;
}

function brokenRule(
  rules: readonly ExpressionRule[],
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const { expression, message } of rules) {
    const result = runAccess(expression, variables);
    if (!result.ok) return result.problem;
    if (result.value !== true) return `validation expression '${expression.text}' failed: ${message}`;
  }
  return undefined;
}

/** Reports if an expression reads a claim by its name, as `claims.email` or `claims.?email` does. */
export function readsClaim(expr: Expr, claim: string): boolean {
  const isClaims = (one: Expr | undefined): boolean => one?.kind === 'ident' && one.name === 'claims';
  const reads = (one: Expr): boolean => readsClaim(one, claim);
  switch (expr.kind) {
    case 'constant':
    case 'ident':
      return false;
    case 'select':
      return (isClaims(expr.operand) && expr.field === claim) || reads(expr.operand);
    case 'call':
      return (
        isOptionalRead(expr.name, expr.args, claim, isClaims) ||
        [...expr.args, expr.target].some((one) => one && reads(one))
      );
    case 'list':
      return expr.items.some(reads);
    case 'map':
      return expr.entries.some(({ key, value }) => reads(key) || reads(value));
    case 'message':
      return expr.fields.some(({ value }) => reads(value));
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result].some(reads);
  }
}

const isOptionalRead = (
  name: string,
  [operand, field]: readonly Expr[],
  claim: string,
  isClaims: (one: Expr | undefined) => boolean,
): boolean =>
  name === '_?._' &&
  isClaims(operand) &&
  field?.kind === 'constant' &&
  field.literal.type === 'string' &&
  field.literal.value === claim;
