/** ComponentStatus: the health of the server's parts, checked on each request. */
import type { ComponentStatus } from '../../generated/core/v1/componentstatuses/types.js';
import type { DraftObject, VirtualHandler } from '../../runtime/contract/index.js';
import { notFound } from '../../runtime/objects/status.js';

export interface Component {
  readonly name: string;
  /** Returns what is wrong; empty if nothing is. */
  readonly problem: () => string;
}

export function defineComponentStatus(components: readonly Component[]): VirtualHandler {
  return {
    group: '',
    resource: 'componentstatuses',
    get({ name }) {
      const component = components.find((each) => each.name === name);
      if (component) return { ok: true, value: describe(component) };
      // The reference names the kind here in the singular.
      return { ok: false, failure: notFound('', 'componentstatus', name) };
    },
    list: () => ({ ok: true, value: components.map(describe) }),
  };
}

function describe({ name, problem }: Component): DraftObject<ComponentStatus> {
  const wrong = problem();
  const condition =
    wrong === ''
      ? { type: 'Healthy', status: 'True', message: 'ok' }
      : { type: 'Healthy', status: 'False', message: '', error: wrong };
  return { apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name }, conditions: [condition] };
}
