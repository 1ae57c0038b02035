/** `kindforge user create`: makes a credential for a person, records it, and grants a role. */
import {
  type ApiObjectLike,
  createResourceClient,
  defineResource,
  isAlreadyExists,
  isConflict,
  isUnauthorized,
} from '../../client/index.js';
import { type UserRecord, userGroupProblem, userNameProblem } from '../../plugins/index.js';
import { findNearest } from '../../runtime/objects/suggest.js';
import { People, refused, type StoredUser, type UserResult } from './people.js';
import { checkGrant, type Grant, grantRole, groupsWithRoles } from './roles-of-users.js';
import { type CredentialWish, type MadeCredential, makeCredential } from './user-credential.js';
import { clientOf, printUserKubeconfig, type ServerAddress, type UserKubeconfig } from './user-kubeconfig.js';

export interface NewUser extends CredentialWish {
  /** The role to grant; absent for none. */
  readonly role?: Pick<Grant, 'role' | 'namespace'> | undefined;
  /** The address that the administrator uses. */
  readonly address: ServerAddress;
  /** The address for the kubeconfig, if it differs. */
  readonly url?: string | undefined;
}

export interface CreatedUser {
  readonly record: UserRecord;
  readonly kubeconfig: string;
  /** The binding of the role; absent without one. */
  readonly binding?: string | undefined;
  /** Remarks for the administrator, with their cures. */
  readonly remarks: readonly string[];
}

/** Creates the user. If this fails, leaves nothing of the user. Rejects as requests do. */
export async function createUser(client: People['client'], wanted: NewUser): Promise<UserResult<CreatedUser>> {
  const wrong = nameProblem(wanted);
  if (wrong) return wrong;
  if (!wanted.address.url.startsWith('https:') || wanted.url?.startsWith('http:')) {
    return refused(
      'NoTls',
      `${wanted.url ?? wanted.address.url} is plain HTTP, over which kubectl sends no credentials`,
      'Start the server with TLS (--secure-port), and use the kubeconfig that it writes then',
    );
  }
  const found = await People.of(client);
  if (!found.ok) return found;
  const people = found.value;
  const before = await people.find(wanted.name);
  if (before && isLetIn(before.record)) return exists(before.record);
  const granted = wanted.role ? await checkGrant(people, wanted.role) : undefined;
  if (granted?.ok === false) return granted;
  const made = await makeCredential(people, wanted);
  if (!made.ok) return made;
  const stored = await record(people, wanted, made.value, before);
  if (!stored.ok) return stored;
  try {
    const finished = await finish(people, wanted, made.value, stored.value);
    if (!finished.ok) await undo(people, stored.value, before);
    return finished;
  } catch (error) {
    await undo(people, stored.value, before);
    throw error;
  }
}

/** Returns whether a user has a valid credential. */
export const isLetIn = ({ revoked, expires }: UserRecord): boolean =>
  revoked === undefined && Date.parse(expires) > Date.now();

function nameProblem({ name, groups }: NewUser): ReturnType<typeof refused> | undefined {
  const problem = userNameProblem(name);
  if (problem !== undefined) return refused('Invalid', `user name "${name}": ${problem}`);
  for (const group of groups) {
    const wrong = userGroupProblem(group);
    if (wrong !== undefined) return refused('Invalid', `group "${group}": ${wrong}`);
  }
  return undefined;
}

const exists = ({ name, credential, expires }: UserRecord): ReturnType<typeof refused> =>
  refused(
    'Exists',
    `user "${name}" exists, with a ${credential} that is valid until ${expires}`,
    `kindforge user revoke ${name} ends it; then create ${name} again`,
  );

async function record(
  people: People,
  { name, groups, kind }: NewUser,
  { id, created, expires }: MadeCredential,
  before: StoredUser | undefined,
): Promise<UserResult<StoredUser>> {
  // A user that was revoked before gets in with the new credential only.
  const onlyThis = before !== undefined && (before.record.onlyThis || before.record.revoked !== undefined);
  const next: UserRecord = { name, groups, credential: kind, id, created, expires, onlyThis };
  try {
    return { ok: true, value: await people.write(next, before) };
  } catch (error) {
    if (isConflict(error) || isAlreadyExists(error)) {
      return refused(
        'Exists',
        `somebody else has just created or changed user "${name}"`,
        'kindforge user list shows it',
      );
    }
    throw error;
  }
}

/** Tries the credential, grants the role, and makes the kubeconfig. */
async function finish(
  people: People,
  wanted: NewUser,
  { shown }: MadeCredential,
  { record }: StoredUser,
): Promise<UserResult<CreatedUser>> {
  const { name, address, role } = wanted;
  const namespace = role?.namespace;
  const contents: UserKubeconfig = {
    user: name,
    address: { ...address, url: wanted.url ?? address.url },
    shown,
    namespace,
  };
  const problem = await tryCredential(people, contents, address.url, record.onlyThis || 'token' in shown);
  if (problem !== undefined) {
    return refused(
      'NotAccepted',
      `the server does not accept the new ${record.credential}: ${problem}`,
      record.credential === 'certificate'
        ? 'With --client-ca-file, a server accepts only the authorities in that file: give --token for a token instead'
        : 'Only servers of Kindforge know such tokens; leave out --token for a certificate',
    );
  }
  const binding = role && (await grantRole(people, { kind: 'User', name, ...role }));
  const remarks = [...lifeRemark(wanted, record), ...(await remarksOn(people, wanted))];
  return { ok: true, value: { record, kubeconfig: printUserKubeconfig(contents), binding, remarks } };
}

/** How long other servers over the same data may take to see a new record, milliseconds. */
const learningMs = 5_000;

/**
 * Returns why the server does not accept a credential, or `undefined` if it does. `isLearnt` is set if a server accepts
 * it only when it knows its record.
 */
async function tryCredential(
  people: People,
  contents: UserKubeconfig,
  url: string,
  isLearnt: boolean,
): Promise<string | undefined> {
  const reviews = defineResource<ApiObjectLike & { spec?: object }>()({
    group: people.naming.rename('authorization.platform.io'),
    version: 'v1',
    plural: 'selfsubjectaccessreviews',
    kind: 'SelfSubjectAccessReview',
    scope: 'Cluster',
    subresources: [],
  } as const);
  const client = createResourceClient(reviews, clientOf(contents, url));
  const spec = { nonResourceAttributes: { path: '/version', verb: 'get' } };
  for (const began = Date.now(); ; ) {
    try {
      await client.create({ metadata: {}, spec });
      return undefined;
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (!isLearnt || Date.now() - began > learningMs) return error.message;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Certificates begin some minutes early, for clocks that are late, and so end early, too. */
const earlyMs = 600_000;

/** Returns a remark if a certificate ends long before the requested time. */
function lifeRemark({ lifeMs }: NewUser, { created, expires }: UserRecord): readonly string[] {
  if (Date.parse(expires) > Date.parse(created) + lifeMs - earlyMs) return [];
  return [`the certificate ends at ${expires}: the server does not sign for longer (--cluster-signing-duration)`];
}

async function remarksOn(people: People, { name, groups, role, address, url }: NewUser): Promise<readonly string[]> {
  const known = await groupsWithRoles(people);
  const unknown = groups.filter((group) => !known.has(group));
  const remarks = unknown.map((group) => {
    const nearest = findNearest(group, known);
    const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`;
    return `no role is bound to group ${group}${hint}; kindforge user grant --group ${group} --role edit binds one`;
  });
  if (!role && unknown.length === groups.length) {
    remarks.push(
      `${name} may do nothing yet: kindforge user grant ${name} --role edit --namespace default gives a role`,
    );
  }
  const host = new URL(url ?? address.url).hostname;
  if (/^(127\.|localhost$|\[::1\]$)/.test(host)) {
    remarks.push(`the kubeconfig names ${host}, which is this machine only; --address https://HOST:PORT names another`);
  }
  return remarks;
}

/** Removes the record of a user. Nobody has got the credential yet. */
async function undo(people: People, stored: StoredUser, before: StoredUser | undefined): Promise<void> {
  if (!before) return people.remove(stored.record.name);
  await people.write(before.record, stored);
}
