/**
 * Constrained impersonation: the right to act as another user is limited to single verbs and resources. The caller
 * needs `impersonate:<mode>` on each part of the user, and `impersonate-on:<mode>:<verb>` on the resource and verb of
 * the request.
 */
import type {
  AccessAttributes,
  AuthorizationAttributes,
  Authorizer,
  Failure,
  Result,
  UserInfo,
} from '../contract/index.js';
import { dns1123Subdomain, domainPrefixedPath } from '../objects/names/name-checks.js';
import { accessDenied } from '../objects/status.js';
import {
  type ActingUser,
  accountOf,
  authenticated,
  type Impersonate,
  impersonatedUser,
  rightsFor,
  type WantedUser,
} from './authentication.js';
import { toRefusal } from './authorization.js';

export interface ConstrainedParts {
  readonly authorizer: Authorizer;
  /** The served group of users in the checks of rights. */
  readonly group: string;
  /** The key of a service account's node in its extra fields. */
  readonly nodeNameExtra: string;
  /** The key of the names of these extra fields. They replace the fields if the node does not matter. */
  readonly nodeKeysExtra: string;
  readonly observer?: ImpersonationObserver;
}

/** Receives the decisions about impersonation, by mode, and how many seconds each took. */
export interface ImpersonationObserver {
  /** Receives the decision about a request. `mode` is empty if no mode allowed it. */
  attempted(mode: string, isAllowed: boolean, seconds: number): void;
  /** Receives the answer to one question. */
  asked(mode: string, isAllowed: boolean, seconds: number): void;
}

/** A way in which a caller may act as another user. */
interface Mode {
  /** The part of the verbs, as in `user-info`; absent for the verb `impersonate`, which holds for all requests. */
  readonly name?: string;
  readonly isFor: (wanted: WantedUser, maker: UserInfo) => boolean;
}

/** The most callers that are remembered with their last mode. */
const mostCallers = 10_000;

/**
 * Creates the check. Tries the modes from the narrowest on, and refuses with the reason of the first. Tries the mode
 * that last allowed something to the caller before all others, because most callers need only one.
 */
export function defineConstrainedImpersonation(parts: ConstrainedParts): Impersonate {
  const modes = modesOf(parts);
  const lastModes = new Map<string, Mode>();
  const remember = (caller: string, mode: Mode): void => {
    lastModes.delete(caller);
    lastModes.set(caller, mode);
    const [oldest] = lastModes.keys();
    if (lastModes.size > mostCallers && oldest !== undefined) lastModes.delete(oldest);
  };
  const { observer } = parts;
  return async (wanted, attributes) => {
    const began = performance.now();
    const { user } = attributes;
    const last = lastModes.get(user.name);
    let refused: Failure | undefined;
    for (const mode of last ? [last, ...modes.filter((one) => one !== last)] : modes) {
      if (!mode.isFor(wanted, user)) continue;
      const acting = await actIn(mode, parts, wanted, attributes);
      if (acting.ok) {
        remember(user.name, mode);
        observer?.attempted(nameOfMode(mode), true, secondsSince(began));
        return acting;
      }
      refused ??= acting.failure;
    }
    observer?.attempted('', false, secondsSince(began));
    // The last mode is for everybody, so there is a failure.
    return { ok: false, failure: refused ?? accessDenied({ user, verb: 'impersonate', group: '', resource: 'users' }) };
  };
}

const nameOfMode = ({ name = 'legacy' }: Mode): string => name;

const secondsSince = (began: number): number => (performance.now() - began) / 1000;

const associatedNode = 'associated-node';

/** Returns the modes in the order of the checks. Only the last two allow groups, a UID and extras. */
const modesOf = ({ nodeNameExtra }: ConstrainedParts): readonly Mode[] => [
  {
    name: associatedNode,
    isFor: (wanted, { name, extra }) => {
      const node = nodeOf(wanted.name);
      const [own, ...more] = extra[nodeNameExtra] ?? [];
      return isBare(wanted) && node !== undefined && accountOf(name) !== undefined && own === node && more.length === 0;
    },
  },
  { name: 'arbitrary-node', isFor: (wanted) => isBare(wanted) && nodeOf(wanted.name) !== undefined },
  { name: 'serviceaccount', isFor: (wanted) => isBare(wanted) && accountOf(wanted.name) !== undefined },
  { name: 'user-info', isFor: ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined },
  { isFor: () => true },
];

const isBare = ({ uid, groups, extra }: WantedUser): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

const nodePrefix = 'system:node:';

/** Returns the node of a user name; `undefined` for other users. */
function nodeOf(user: string): string | undefined {
  const name = user.startsWith(nodePrefix) ? user.slice(nodePrefix.length) : '';
  return name !== '' && dns1123Subdomain(name).length === 0 ? name : undefined;
}

async function actIn(
  mode: Mode,
  { authorizer, group, nodeKeysExtra, observer }: ConstrainedParts,
  wanted: WantedUser,
  attributes: AccessAttributes,
): Promise<Result<ActingUser>> {
  // Checks of the caller's own node do not depend on the node, so one answer counts for all pods of a service account.
  const user = mode.name === associatedNode ? withoutFacts(attributes.user, nodeKeysExtra) : attributes.user;
  const ask = async (asked: AccessAttributes): Promise<Failure | undefined> => {
    const began = performance.now();
    const failure = await refusalOf(authorizer, asked);
    observer?.asked(nameOfMode(mode), failure === undefined, secondsSince(began));
    return failure;
  };
  if (mode.name === undefined) {
    const failure = await refusalOfAll([...rightsFor(wanted, group, user)], ask);
    return failure ? { ok: false, failure } : { ok: true, value: { user: impersonatedUser(wanted) } };
  }
  const constraint = `impersonate:${mode.name}`;
  const failure =
    (await ask({ ...attributes, user, verb: `impersonate-on:${mode.name}:${attributes.verb}` })) ??
    (await refusalOfParts(wanted, { user, verb: constraint, group, version: 'v1' }, ask));
  return failure ? { ok: false, failure } : { ok: true, value: { user: constrainedUser(wanted), constraint } };
}

const withoutFacts = (user: UserInfo, keys: string): UserInfo => ({
  ...user,
  extra: { [keys]: Object.keys(user.extra).sort() },
});

type Ask = (asked: AccessAttributes) => Promise<Failure | undefined>;

/** Returns why something is not allowed. An authorizer's error is a reason too: another mode may still allow it. */
async function refusalOf(authorizer: Authorizer, asked: AccessAttributes): Promise<Failure | undefined> {
  const { decision, reason = '', evaluationError = '' } = await authorizer.decide(asked);
  const said = [evaluationError, reason].filter((text) => text !== '').join(': ');
  return toRefusal(asked, { decision, reason: said });
}

async function refusalOfAll(rights: readonly AuthorizationAttributes[], ask: Ask): Promise<Failure | undefined> {
  for (const right of rights) {
    const failure = await ask(right);
    if (failure) return failure;
  }
  return undefined;
}

/** From this number on, one question about all parts comes before a question about each. */
const many = 4;

type Question = Omit<AuthorizationAttributes, 'resource'>;

/** Returns why the caller may not act as a user, or `undefined`. */
async function refusalOfParts(wanted: WantedUser, question: Question, ask: Ask): Promise<Failure | undefined> {
  const { uid, groups, extra } = wanted;
  const unwanted = badGroup(groups);
  const group = { ...question, resource: 'groups' };
  const extras = { ...question, resource: 'userextras' };
  const values = Object.entries(extra).flatMap(([key, all]) =>
    all.map((name) => ({ ...extras, subresource: key, name })),
  );
  const problem = extraProblem(extra);
  return (
    (await ask({ ...question, ...nameOf(wanted.name, question) })) ??
    (uid === '' ? undefined : await ask({ ...question, resource: 'uids', name: uid })) ??
    (unwanted && accessDenied({ ...group, name: unwanted.group }, unwanted.why)) ??
    (await refusalOfMany(
      groups.map((name) => ({ ...group, name })),
      { ...group, name: '*' },
      ask,
    )) ??
    (problem === undefined ? undefined : accessDenied(extras, problem)) ??
    (await refusalOfMany(values, { ...extras, subresource: '*', name: '*' }, ask))
  );
}

async function refusalOfMany(
  rights: readonly AuthorizationAttributes[],
  toAll: AuthorizationAttributes,
  ask: Ask,
): Promise<Failure | undefined> {
  if (rights.length >= many && (await ask(toAll)) === undefined) return undefined;
  return refusalOfAll(rights, ask);
}

/** Returns the resource name of a user in the checks of rights. The caller's own node has any name. */
function nameOf(user: string, { verb }: Question): Pick<AuthorizationAttributes, 'resource' | 'namespace' | 'name'> {
  const node = nodeOf(user);
  if (node !== undefined) return { resource: 'nodes', name: verb === `impersonate:${associatedNode}` ? '*' : node };
  const account = accountOf(user);
  return account ? { resource: 'serviceaccounts', ...account } : { resource: 'users', name: user };
}

/** Constrained impersonation never lets a caller become an administrator. */
const privileged = 'system:masters';

function badGroup(groups: readonly string[]): { readonly group: string; readonly why: string } | undefined {
  if (groups.includes('')) return { group: '', why: 'impersonating the empty string group is not allowed' };
  if (!groups.includes(privileged)) return undefined;
  return { group: privileged, why: 'impersonating the system:masters group is not allowed' };
}

/** Returns why extras are refused: a key must be like `example.com/scope`. */
function extraProblem(extra: WantedUser['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const [problem] = domainPrefixedPath(key);
    if (problem !== undefined) return `impersonating an invalid key in extra is not allowed: ${problem}`;
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

/** Returns the user that the request is made as. A node gets the group of all nodes. */
const constrainedUser = (wanted: WantedUser): UserInfo =>
  nodeOf(wanted.name) === undefined ? impersonatedUser(wanted) : { ...wanted, groups: ['system:nodes', authenticated] };
