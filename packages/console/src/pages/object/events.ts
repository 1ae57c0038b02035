/** Follows events about an object. */
import { type DynamicObject, observeObjects } from 'kindforge/client';
import type { Shown } from './kind-client.js';

/** Calls a function with the events, now and after each change. Resolves to a function that ends this. */
export async function followEvents(
  { session, namespace }: Shown,
  uid: string,
  onChange: (events: readonly DynamicObject[]) => void,
): Promise<() => void> {
  const { kinds } = await session.client.kinds();
  const events = kinds.filter(({ plural, kind }) => plural === 'events' && kind === 'Event');
  const kind = events.find(({ group }) => group === '') ?? events[0];
  if (!kind) return () => {};
  if (!(await session.rights.may({ verb: 'list', group: kind.group, resource: kind.plural, namespace })))
    return () => {};
  const { group, version, plural } = kind;
  const resource = await session.client.resource({ group, version, plural });
  // The newer API of events has another name for the object.
  const field = group === '' ? 'involvedObject.uid' : 'regarding.uid';
  return observeObjects<DynamicObject>(resource, { namespace, fieldSelector: `${field}=${uid}` }).subscribe(
    ({ objects }) => onChange(objects),
  );
}
