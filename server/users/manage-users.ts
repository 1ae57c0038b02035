/** `kindforge user list`, `grant` and `revoke`. */
import { retryOnConflict } from '../../client/index.js';
import { type UserRecord, userNameProblem } from '../../plugins/index.js';
import { findNearest } from '../../runtime/objects/suggest.js';
import { isLetIn } from './create-user.js';
import { People, refused, type UserResult } from './people.js';
import { checkGrant, type Grant, grantRole, removeGrants, type UserBindings } from './roles-of-users.js';

/** A user, as `kindforge user list` prints it. */
export interface ListedUser extends UserRecord {
  readonly state: 'active' | 'expired' | 'revoked';
}

/** Returns all users, by name. Rejects as requests do. */
export async function listUsers(client: People['client']): Promise<UserResult<readonly ListedUser[]>> {
  const found = await People.of(client);
  if (!found.ok) return found;
  const users = await found.value.all();
  return { ok: true, value: users.map(({ record }) => ({ ...record, state: stateOf(record) })) };
}

function stateOf(record: UserRecord): ListedUser['state'] {
  if (record.revoked !== undefined) return 'revoked';
  return isLetIn(record) ? 'active' : 'expired';
}

/** Binds a role to a user or a group, and returns the binding. Rejects as requests do. */
export async function grantTo(client: People['client'], grant: Grant): Promise<UserResult<string>> {
  const found = await People.of(client);
  if (!found.ok) return found;
  const people = found.value;
  const known = grant.kind === 'Group' || (await people.find(grant.name));
  if (!known) return unknownUser(people, grant.name);
  const checked = await checkGrant(people, grant);
  return checked.ok ? { ok: true, value: await grantRole(people, grant) } : checked;
}

export interface RevokedUser extends UserBindings {
  readonly record: UserRecord;
  /** Whether the user was revoked already. */
  readonly again: boolean;
}

/**
 * Refuses a user from now on. `anyName` allows names without a record, for certificates from elsewhere. Rejects as
 * requests do.
 */
export async function revokeUser(
  client: People['client'],
  name: string,
  { anyName = false }: { readonly anyName?: boolean | undefined } = {},
): Promise<UserResult<RevokedUser>> {
  const wrong = userNameProblem(name);
  if (wrong !== undefined) return refused('Invalid', `user name "${name}": ${wrong}`);
  const found = await People.of(client);
  if (!found.ok) return found;
  const people = found.value;
  const marked = await retryOnConflict(() => mark(people, name, anyName));
  if (!marked) return unknownUser(people, name);
  return { ok: true, value: { ...marked, ...(await removeGrants(people, name)) } };
}

async function mark(
  people: People,
  name: string,
  anyName: boolean,
): Promise<Pick<RevokedUser, 'record' | 'again'> | undefined> {
  const before = await people.find(name);
  if (!before && !anyName) return undefined;
  if (before?.record.revoked !== undefined) return { record: before.record, again: true };
  const empty: UserRecord = {
    name,
    groups: [],
    credential: 'certificate',
    id: '',
    created: '',
    expires: '',
    onlyThis: true,
  };
  const record = { ...(before?.record ?? empty), revoked: new Date().toISOString(), onlyThis: true };
  await people.write(record, before);
  return { record, again: false };
}

async function unknownUser(people: People, name: string): Promise<ReturnType<typeof refused>> {
  const nearest = findNearest(
    name,
    (await people.all()).map(({ record }) => record.name),
  );
  return refused(
    'NotFound',
    `user "${name}" was not made with kindforge user create${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
    'kindforge user list shows who was; user revoke --any refuses certificates of any other name',
  );
}
