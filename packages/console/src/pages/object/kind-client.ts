/** The requests for objects of the page's kind, in the namespace of its object. */
import type { DynamicResource, ServedKind } from 'kindforge/client';
import type { Session } from '../../session/session.js';
import type { KindClient, LiveObject } from './live-object.svelte.js';

/** The object and its kind, for all parts of the page. */
export interface Shown {
  readonly session: Session;
  readonly kind: ServedKind;
  readonly resource: DynamicResource;
  /** Requests in the namespace of the object. */
  readonly client: KindClient;
  readonly live: LiveObject;
  readonly name: string;
  /** Absent for kinds of the cluster. */
  readonly namespace: string | undefined;
}

/** Resolves to whether the user may do something with the object, or with a subresource of it. */
export const mayDo = (
  { session, kind, name, namespace }: Shown,
  verb: string,
  subresource?: string,
): Promise<boolean> =>
  session.rights.may({
    verb,
    group: kind.group,
    resource: kind.plural,
    ...(subresource === undefined ? {} : { subresource }),
    namespace,
    name,
  });
