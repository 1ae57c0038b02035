/** Keys of what emitters make, by which it is known to be as it would come out again. */
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import type { Emitter } from '../emit/emitter.js';
import { fingerprintOf, keyOf, surroundingsOf } from '../emit/fingerprint.js';
import { emitters as builtIn } from '../emit/index.js';
import type { Units } from '../memory/kept-state.js';
import type { Model, ResourceModel } from '../model/model.js';
import type { OutputFile } from '../write/output-file.js';

/** Changes with all that the files of a resource follow from. Of emitters of others nobody knows that, beside the resource. */
export function keyFor(emitter: Emitter, resource: ResourceModel, model: Model): string {
  if (!isBuiltIn(emitter)) return `${TRANSIENT}${numberOf(resource)}`;
  return keyOf(fingerprintOf(resource), surroundingsOf(model), emitter.dependsOn?.(resource, model) ?? '');
}

/** The key of a file about all resources; of emitters of others it holds in this process only, as their code may change. */
export const keyOfFile = (emitter: Emitter, { key }: OutputFile): string | undefined =>
  key === undefined || isBuiltIn(emitter) ? key : `${TRANSIENT}${key}`;

const isBuiltIn = (emitter: Emitter): boolean => builtIn.includes(emitter);

/** The beginning of keys that mean something in this process only. */
const TRANSIENT = '#';

/** A number for each resource object, the same as long as the resource has not changed. */
const numberOf = (() => {
  let last = 0;
  return memoizeByObject((_resource: ResourceModel) => ++last);
})();

/** Those units that mean something to another process. */
export const lasting = (units: Units): Units => new Map([...units].filter(([, { key }]) => !key.startsWith(TRANSIENT)));
