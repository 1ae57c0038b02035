/** Finds groups by their kinds, because servers may use other names. */
import type { Session } from '../../../session/session.js';

/** Returns the `apiVersion` of the group with a kind, in the caller's version. Throws as requests do. */
export async function groupVersionWith(session: Session, plural: string, version: string): Promise<string> {
  const { group } = await session.client.kind(plural);
  return group === '' ? version : `${group}/${version}`;
}
