/** Makes a user from the claims of a token, by the rules and mappings of an AuthenticationConfiguration. */
import type { CelValue, Expr, Expression } from '../../runtime/cel/index.js';
import type { Authentication, JsonObject, JsonValue, UserInfo } from '../../runtime/contract/index.js';
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
  /** Rules for the resulting user. */
  readonly userRules: readonly ExpressionRule[];
}

/** Makes the user from claims, or refuses them in the words of the reference. */
export function mapClaims(claims: JsonObject, rules: ClaimRules): Authentication {
  const mapped = readUser(claims, rules);
  if (!mapped.ok) return refuse(mapped.problem);
  for (const [claim, wanted] of rules.requiredClaims) {
    const problem = requiredProblem(claim, getOwn(claims, claim), wanted);
    if (problem !== undefined) return refuse(`oidc: ${problem}`);
  }
  const { name, uid, groups, extra } = mapped.value;
  const user = { username: name, uid, groups: [...groups], extra };
  const ofClaims = brokenRule(rules.claimRules, { claims });
  if (ofClaims !== undefined) return refuse(`oidc: error evaluating claim validation expression: ${ofClaims}`);
  const ofUser = brokenRule(rules.userRules, { user });
  if (ofUser !== undefined) return refuse(`oidc: error evaluating user info validation rule: ${ofUser}`);
  return { user: { ...authenticatedUser(name, uid, groups), extra } };
}

const refuse = (why: string): Authentication => ({ refused: why });

type Mapped<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const no = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem });

const neither = 'expression must return a string or a list of strings';

function readUser(claims: JsonObject, { username, groups, uid, extra }: ClaimRules): Mapped<UserInfo> {
  const name = readText(claims, username, 'username');
  if (!name.ok) return name;
  if (name.value === '') return no('oidc: empty username via CEL expression is not allowed');
  if ('claim' in username && username.claim === 'email' && (getOwn(claims, 'email_verified') ?? true) !== true) {
    return no('oidc: email not verified');
  }
  const named = readGroups(claims, groups);
  if (!named.ok) return named;
  const id = uid ? readText(claims, uid, 'uid') : { ok: true as const, value: '' };
  if (!id.ok) return id;
  const extras: Record<string, readonly string[]> = {};
  for (const [key, expression] of extra) {
    const result = runAccess(expression, { claims });
    if (!result.ok) return result;
    const values = textsOf(result.value);
    if (!values) return no(`oidc: error evaluating extra claim expression: ${expression.text}: ${neither}`);
    if (values.length > 0) extras[key] = values;
  }
  return { ok: true, value: { name: name.value, uid: id.value, groups: named.value, extra: extras } };
}

function readText(claims: JsonObject, mapping: ClaimMapping, what: 'username' | 'uid'): Mapped<string> {
  if ('claim' in mapping) {
    const value = getOwn(claims, mapping.claim);
    if (typeof value === 'string') return { ok: true, value: value === '' ? '' : mapping.prefix + value };
    const claim = `${what === 'uid' ? 'uid claim' : 'username claims'} ${quote(mapping.claim)}`;
    return no(`oidc: parse ${claim}: ${value === undefined ? 'claim not present' : 'it is not a text'}`);
  }
  const result = runAccess(mapping.expression, { claims });
  const failed = `oidc: error evaluating ${what} claim expression:`;
  if (!result.ok) return no(`${failed} ${result.problem}`);
  if (typeof result.value === 'string') return { ok: true, value: result.value };
  return no(`${failed} ${what} claim expression must return a string`);
}

function readGroups(claims: JsonObject, mapping: ClaimMapping | undefined): Mapped<readonly string[]> {
  if (!mapping) return { ok: true, value: [] };
  if ('claim' in mapping) {
    const groups = groupsOf(claims, mapping.claim);
    if (groups) return { ok: true, value: groups.map((group) => mapping.prefix + group) };
    return no(`oidc: parse groups claim ${quote(mapping.claim)}: it is neither a text nor a list of texts`);
  }
  const result = runAccess(mapping.expression, { claims });
  const failed = 'oidc: error evaluating group claim expression:';
  if (!result.ok) return no(`${failed} ${result.problem}`);
  const groups = textsOf(result.value);
  return groups ? { ok: true, value: groups } : no(`${failed} ${neither}`);
}

/** Returns one text or a list as a list. Empty texts and null count as absent. */
function textsOf(value: CelValue): readonly string[] | undefined {
  const texts = value === null ? [] : typeof value === 'string' ? [value] : value;
  return isStringArray(texts) ? texts.filter((text) => text !== '') : undefined;
}

function requiredProblem(claim: string, value: JsonValue | undefined, wanted: string): string | undefined {
  if (value === undefined) return `required claim ${claim} not present in ID token`;
  if (typeof value !== 'string') return `parse claim ${claim}: it is not a text`;
  if (value === wanted) return undefined;
  return `required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`;
}

/** Returns the first error of a rule, else the first rule that does not hold. */
function brokenRule(
  rules: readonly ExpressionRule[],
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const results = rules.map((rule) => ({ rule, result: runAccess(rule.expression, variables) }));
  for (const { result } of results) if (!result.ok) return result.problem;
  const broken = results.find(({ result }) => result.ok && result.value !== true)?.rule;
  return broken && `validation expression '${broken.expression.text}' failed: ${broken.message}`;
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
