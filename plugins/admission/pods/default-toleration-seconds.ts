/** DefaultTolerationSeconds: pods stay for a while on a node that is not ready or not reachable. */
import type { AdmissionPlugin, JsonValue } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { handlesObjects } from '../handled.js';

/** How long pods stay that do not say it themselves, seconds. */
export interface TolerationSeconds {
  readonly notReady?: number;
  readonly unreachable?: number;
}

/** Seconds where nothing else is set. */
export const defaultTolerationSeconds = 300;

const effect = 'NoExecute';

/** Updates are handled as well, as they may take the tolerations away. */
export function defineDefaultTolerationSeconds({ rename }: Naming, seconds: TolerationSeconds = {}): AdmissionPlugin {
  const { notReady = defaultTolerationSeconds, unreachable = defaultTolerationSeconds } = seconds;
  const wanted = [
    { key: rename('node.platform.io/not-ready'), tolerationSeconds: notReady },
    { key: rename('node.platform.io/unreachable'), tolerationSeconds: unreachable },
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    admit({ object }) {
      const spec = objectAt(object, 'spec');
      if (!spec) return undefined;
      const own = isArray(spec.tolerations) ? spec.tolerations : [];
      const missing = wanted.filter(({ key }) => !own.some((one) => tolerates(one, key)));
      if (missing.length === 0) return undefined;
      spec.tolerations = [...own, ...missing.map((one) => ({ ...one, operator: 'Exists', effect }))];
      return undefined;
    },
  };
}

/** Whether a toleration is about a taint, whichever value it asks for. No key and no effect stand for all of them. */
const tolerates = (toleration: JsonValue, key: string): boolean =>
  isObject(toleration) &&
  (!toleration.key || toleration.key === key) &&
  (!toleration.effect || toleration.effect === effect);
