/** Finds groups by their kinds, since a server may have them under other names. */
import type { Session } from '../../../session/session.js';

/** Returns the `apiVersion` of the group that has a kind, in a version of the caller's. Throws as requests do. */
export async function groupVersionWith(session: Session, plural: string, version: string): Promise<string> {
  const { group } = await session.client.kind(plural);
  return group === '' ? version : `${group}/${version}`;
}
