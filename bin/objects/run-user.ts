/** Runs `kindforge user`: reads its flags, and prints what was done. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import { createUser } from '../../server/users/create-user.js';
import { grantTo, type ListedUser, listUsers, revokeUser } from '../../server/users/manage-users.js';
import type { UserResult } from '../../server/users/people.js';
import { addressIn } from '../../server/users/user-kubeconfig.js';
import { Refusal, WrongFlag } from './failure.js';
import { type Running, runCommand } from './run-command.js';
import type { ServerFlags } from './server-flags.js';
import { alignColumns } from './table.js';
import { findKubeconfig } from './target.js';

export interface CreateFlags {
  readonly group: readonly string[];
  readonly kubeconfig?: string;
  readonly force?: boolean;
  readonly role?: string;
  readonly namespace?: string;
  readonly expires: string;
  readonly token?: boolean;
  readonly address?: string;
  readonly adminKubeconfig?: string;
  readonly context?: string;
}

export interface GrantFlags extends ServerFlags {
  readonly group?: string;
  readonly role: string;
}

export function runCreate(name: string, flags: CreateFlags): Promise<void> {
  const { kubeconfig: file, adminKubeconfig, context, role, namespace, address: url } = flags;
  const own = {
    ...(adminKubeconfig === undefined ? {} : { kubeconfig: adminKubeconfig }),
    ...(context === undefined ? {} : { context }),
  };
  const check = (): void => {
    readLife(flags.expires);
    if (url !== undefined) checkAddress(url);
    if (file !== undefined) checkFile(file, flags.force === true);
  };
  const job = async ({ target, printing }: Running): Promise<boolean> => {
    const place = adminKubeconfig ?? findKubeconfig({ folder: process.cwd(), environment: process.env })?.path;
    const { record, kubeconfig, binding, remarks } = resultOf(
      await createUser(target.client, {
        name,
        groups: flags.group,
        kind: flags.token ? 'token' : 'certificate',
        lifeMs: readLife(flags.expires),
        role: role === undefined ? undefined : { role, namespace },
        address: addressIn(place, context),
        url,
      }),
    );
    if (file === undefined) printing.text(kubeconfig);
    else writeKubeconfig(file, kubeconfig);
    // Standard output may be the kubeconfig.
    const tell = file === undefined ? printing.error : printing.out;
    tell(
      `user ${name} created: a ${record.credential} until ${record.expires}${file === undefined ? '' : `, in ${file}`}`,
    );
    if (binding !== undefined) tell(`${binding} created: cluster role ${role}`);
    for (const remark of remarks) printing.error(`kindforge: ${remark}`);
    return true;
  };
  return runCommand(own, { verb: 'create', resource: 'certificatesigningrequests' }, job, check);
}

export const runList = (flags: ServerFlags & { readonly output: string }): Promise<void> =>
  runCommand(flags, { verb: 'list', resource: 'secrets' }, async ({ target, printing }) => {
    const users = resultOf(await listUsers(target.client));
    if (flags.output === 'json') printing.out(JSON.stringify(users.map(shown), undefined, 2));
    else if (users.length === 0) printing.out('no users; kindforge user create NAME makes one');
    else for (const line of alignColumns([headings, ...users.map(cellsOf)])) printing.out(line);
    return true;
  });

const headings = ['NAME', 'GROUPS', 'CREDENTIAL', 'CREATED', 'EXPIRES', 'STATE'];

const cellsOf = ({ name, groups, credential, created, expires, state, revoked }: ListedUser): readonly string[] => [
  name,
  groups.join(',') || '<none>',
  created === '' ? '<none>' : credential,
  created || '<none>',
  expires || '<none>',
  state === 'revoked' ? `revoked ${revoked}` : state,
];

/** Leaves out the fields that only the program uses. */
const shown = ({ id: _id, onlyThis: _onlyThis, ...user }: ListedUser): object => user;

export const runGrant = (name: string | undefined, flags: GrantFlags): Promise<void> =>
  runCommand(flags, { verb: 'create', resource: 'rolebindings' }, async ({ target, printing }) => {
    const { role, group, namespace } = flags;
    const whom =
      group === undefined ? ({ kind: 'User', name: name ?? '' } as const) : ({ kind: 'Group', name: group } as const);
    printing.out(
      `${resultOf(await grantTo(target.client, { ...whom, role, namespace }))} created: cluster role ${role}`,
    );
    return true;
  });

export const runRevoke = (name: string, flags: ServerFlags & { readonly any?: boolean }): Promise<void> =>
  runCommand(flags, { verb: 'update', resource: 'secrets' }, async ({ target, printing }) => {
    const { record, again, removed, left } = resultOf(await revokeUser(target.client, name, { anyName: flags.any }));
    printing.out(again ? `user ${name} was revoked before, at ${record.revoked}` : `user ${name} revoked`);
    for (const binding of removed) printing.out(`${binding} deleted`);
    for (const binding of left) {
      printing.error(`kindforge: ${binding} still names ${name}, and would apply to a new ${name}`);
    }
    return true;
  });

function resultOf<T>(result: UserResult<T>): T {
  if (result.ok) return result.value;
  const { reason, message, advice } = result.problem;
  throw reason === 'Invalid' ? new WrongFlag(message, ...advice) : new Refusal(message, ...advice);
}

const dayMs = 86_400_000;
const leastMs = 600_000;
const mostMs = 3650 * dayMs;

/** Reads the lifetime of credentials: days, as in `90d`, or a duration in Go's form. Returns milliseconds. */
function readLife(text: string): number {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  const ms = days === undefined ? Number((parseDuration(text) ?? 0n) / 1_000_000n) : Number(days) * dayMs;
  if (ms >= leastMs && ms <= mostMs) return ms;
  throw new WrongFlag(`--expires ${text || '(nothing)'}: must be from 10m to 3650d`, 'Write it as in 90d or 12h');
}

function checkAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new WrongFlag(
    `--address ${url} is not the URL of a server`,
    'Write it as in --address https://api.example.com:6443',
  );
}

function checkFile(path: string, force: boolean): void {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) throw new WrongFlag(`--kubeconfig ${path} is a folder`, 'Name a file in it');
    if (force) return;
    throw new WrongFlag(`--kubeconfig ${path} exists and is not overwritten`, 'Name another file, or give --force');
  }
  const folder = dirname(path);
  if (!existsSync(folder))
    throw new WrongFlag(`--kubeconfig ${path}: the folder ${folder} does not exist`, 'Create it first');
}

/** Replaces the file by a new one that only its owner can read: overwriting would keep the old mode. */
function writeKubeconfig(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}
