/** Reads how an AuthenticationConfiguration makes users from claims, by the rules of kube-apiserver. */
import {
  type ClaimMapping,
  type ClaimRules,
  type CompiledAccess,
  compileAccess,
  compileAccessRule,
  type ExpressionRule,
  readsClaim,
} from '../../plugins/index.js';
import { configurationSchema } from '../../plugins/kit.js';
import type { Expression } from '../../runtime/cel/index.js';
import type { ConfigurationPath } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { domainPrefixedPath } from '../../runtime/objects/names/name-checks.js';
import type { Given, RefuseField } from './access-file.js';

const { fields, list, optional, text } = configurationSchema;
const word = optional(text, '');
const mapping = optional(fields({ claim: word, prefix: optional(text, undefined), expression: word }), {
  claim: '',
  prefix: undefined,
  expression: '',
});
const noMappings = {
  username: { claim: '', prefix: undefined, expression: '' },
  groups: { claim: '', prefix: undefined, expression: '' },
  uid: { claim: '', expression: '' },
  extra: [],
};

export const claimRuleSchema = list(fields({ claim: word, requiredValue: word, expression: word, message: word }));
export const userRuleSchema = list(fields({ expression: word, message: word }));
export const claimMappingSchema = optional(
  fields({
    username: mapping,
    groups: mapping,
    uid: optional(fields({ claim: word, expression: word }), { claim: '', expression: '' }),
    extra: list(fields({ key: word, valueExpression: word })),
  }),
  noMappings,
);

type GivenRules = Given<typeof claimRuleSchema>;
type GivenUserRules = Given<typeof userRuleSchema>;
type GivenMappings = Given<typeof claimMappingSchema>;

/** Reads `claimValidationRules`. */
export function readClaimRules(
  rules: GivenRules,
  path: ConfigurationPath,
  refuse: RefuseField,
): Pick<ClaimRules, 'requiredClaims' | 'claimRules'> {
  const requiredClaims = new Map<string, string>();
  const claimRules: ExpressionRule[] = [];
  const seen = new Set<string>();
  for (const [index, { claim, requiredValue, expression, message }] of rules.entries()) {
    const at = [...path, index];
    if (claim !== '' && expression !== '') {
      refuse(at, invalidValue('', claim, "claim and expression can't both be set"));
    } else if (claim === '' && expression === '') {
      refuse(at, required('', 'claim or expression is required'));
    } else if (claim !== '') {
      if (message !== '') {
        refuse([...at, 'message'], invalidValue('', message, 'may not be specified when claim is set'));
      }
      if (requiredClaims.has(claim)) refuse([...at, 'claim'], duplicate('', claim));
      requiredClaims.set(claim, requiredValue);
    } else {
      if (requiredValue !== '') {
        refuse(
          [...at, 'requiredValue'],
          invalidValue('', requiredValue, 'may not be specified when expression is set'),
        );
      }
      if (seen.has(expression)) {
        refuse([...at, 'expression'], duplicate('', expression));
        continue;
      }
      seen.add(expression);
      const compiled = compileAccessRule(expression, 'claims', false);
      const rule = taken(compiled, expression, [...at, 'expression'], refuse);
      if (rule) claimRules.push({ expression: rule, message });
    }
  }
  return { requiredClaims, claimRules };
}

type Mappings = Pick<ClaimRules, 'username' | 'groups' | 'uid' | 'extra'>;

/** Reads `claimMappings`. The rules decide whether an address is verified. */
export function readMappings(
  given: GivenMappings,
  claimRules: readonly ExpressionRule[],
  path: ConfigurationPath,
  refuse: RefuseField,
): Mappings {
  const { username, uid } = given;
  if (username.claim === '' && username.expression === '') {
    refuse([...path, 'username'], required('', 'claim or expression is required'));
  }
  const mappings: Mappings = {
    username: readMapping(username, [...path, 'username'], refuse) ?? { claim: '', prefix: '' },
    groups: readMapping(given.groups, [...path, 'groups'], refuse),
    uid: readMapping({ ...uid, prefix: uid.claim === '' ? undefined : '' }, [...path, 'uid'], refuse),
    extra: readExtra(given.extra, [...path, 'extra'], refuse),
  };
  const verifying = [...claimRules.map(({ expression }) => expression), ...mappings.extra.values()];
  const name = 'expression' in mappings.username ? mappings.username.expression : undefined;
  const isVerified = [...verifying, ...(name ? [name] : [])].some(({ expr }) => readsClaim(expr, 'email_verified'));
  if (name && readsClaim(name.expr, 'email') && !isVerified) {
    const detail =
      'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';
    refuse([...path, 'username', 'expression'], invalidValue('', username.expression, detail));
  }
  return mappings;
}

function readMapping(
  { claim, prefix, expression }: GivenMappings['username'],
  path: ConfigurationPath,
  refuse: RefuseField,
): ClaimMapping | undefined {
  if (claim !== '' && expression !== '') {
    refuse(path, invalidValue('', '', "claim and expression can't both be set"));
    return undefined;
  }
  if (expression !== '') {
    if (prefix !== undefined) {
      refuse([...path, 'prefix'], invalidValue('', prefix, 'may not be specified when expression is set'));
    }
    const compiled = taken(compileAccess(expression, 'claims'), expression, [...path, 'expression'], refuse);
    return compiled && { expression: compiled };
  }
  if (claim === '') return undefined;
  if (prefix === undefined) {
    const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
    refuse([...path, 'prefix'], required('', detail));
  }
  return { claim, prefix: prefix ?? '' };
}

function readExtra(
  extra: GivenMappings['extra'],
  path: ConfigurationPath,
  refuse: RefuseField,
): ReadonlyMap<string, Expression> {
  const read = new Map<string, Expression>();
  const seen = new Set<string>();
  for (const [index, { key, valueExpression }] of extra.entries()) {
    const [ofKey, ofValue] = [
      [...path, index, 'key'],
      [...path, index, 'valueExpression'],
    ];
    checkKey(key, ofKey, refuse);
    if (seen.has(key)) {
      refuse(ofKey, duplicate('', key));
      continue;
    }
    seen.add(key);
    if (valueExpression === '') {
      refuse(ofValue, required(''));
      continue;
    }
    const compiled = taken(compileAccess(valueExpression, 'claims'), valueExpression, ofValue, refuse);
    if (compiled) read.set(key, compiled);
  }
  return read;
}

function checkKey(key: string, path: ConfigurationPath, refuse: RefuseField): void {
  if (key === '') refuse(path, required(''));
  else for (const problem of domainPrefixedPath(key)) refuse(path, invalidValue('', partOf(key, problem), problem));
  if (key !== key.toLowerCase()) refuse(path, invalidValue('', key, 'must be lowercase'));
  if (/^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key)) {
    const detail = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
    refuse(path, invalidValue('', key, detail));
  }
}

/** Returns the part of a key that a problem is about: all of it, its domain, or the path after the domain. */
function partOf(key: string, problem: string): string {
  const slash = key.indexOf('/');
  if (slash <= 0 || slash === key.length - 1) return key;
  return problem.startsWith('Invalid path') ? key.slice(slash + 1) : key.slice(0, slash);
}

/** Reads `userValidationRules`. */
export function readUserRules(
  rules: GivenUserRules,
  path: ConfigurationPath,
  refuse: RefuseField,
): readonly ExpressionRule[] {
  return rules.flatMap(({ expression, message }, index) => {
    const at = [...path, index, 'expression'];
    if (expression === '') refuse(at, required(''));
    else if (rules.findIndex((one) => one.expression === expression) < index) refuse(at, duplicate('', expression));
    else {
      const rule = taken(compileAccessRule(expression, 'user', false), expression, at, refuse);
      if (rule) return [{ expression: rule, message }];
    }
    return [];
  });
}

/** Reports a mistake in an expression, or returns the expression. */
function taken(compiled: CompiledAccess, text: string, path: ConfigurationPath, refuse: RefuseField) {
  if (compiled.ok) return compiled.expression;
  refuse(path, invalidValue('', text, compiled.mistake));
  return undefined;
}
