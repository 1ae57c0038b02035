/** Asks the server for its user. */
import { type DynamicApi, isForbidden, isNotFound } from 'kindforge/client';
import type { Credentials } from './session.js';

export interface User {
  readonly name: string;
  readonly groups: readonly string[];
}

/** The user of requests without credentials, under any naming. */
export const anonymousName = 'system:anonymous';

/**
 * Resolves to the user. If the server does not report it, or does not allow the question, takes the user from the
 * credentials, with an empty name if they name nobody. Rejects with an `ApiError` with the code 401 if the credentials
 * are wrong, or with a `ConnectionError` if the server does not answer.
 */
export async function whoAmI(
  client: Pick<DynamicApi, 'kinds' | 'create'>,
  credentials: Credentials = {},
): Promise<User> {
  try {
    const { kinds } = await client.kinds();
    const review = kinds.find(({ plural }) => plural === 'selfsubjectreviews');
    if (!review) return namedBy(credentials);
    const { group, version, kind } = review;
    const { status } = await client.create({ apiVersion: `${group}/${version}`, kind, metadata: {} });
    return readUser(status);
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return namedBy(credentials);
    throw error;
  }
}

const unknown: User = { name: '', groups: [] };

/** Reads the user from the credentials: the impersonated user, or the subject of a token that is a JWT (RFC 7519). */
function namedBy({ token, impersonate }: Credentials): User {
  if (impersonate) return { name: impersonate.user, groups: impersonate.groups ?? [] };
  try {
    const claims = (token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { sub } = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(claims), (byte) => byte.charCodeAt(0))));
    return typeof sub === 'string' ? { name: sub, groups: [] } : unknown;
  } catch {
    return unknown;
  }
}

function readUser(status: unknown): User {
  const info = typeof status === 'object' && status !== null && 'userInfo' in status ? status.userInfo : undefined;
  if (typeof info !== 'object' || info === null) return unknown;
  const name = 'username' in info && typeof info.username === 'string' ? info.username : '';
  const groups = 'groups' in info && Array.isArray(info.groups) ? info.groups : [];
  return { name, groups: groups.filter((group) => typeof group === 'string') };
}
