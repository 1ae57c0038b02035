/** Writes of pods for tests of plugins. */
import type { AdmissionAttributes, ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { moduleOf } from '../../../support/modules.js';
import { object, write } from './attributes.js';

export const pods = moduleOf('', 'pods', 'Pod');

export const pod = (spec: JsonObject, more: Partial<ApiObject> = {}): ApiObject =>
  object({ kind: 'Pod', ...more, spec });

/** Makes a create of a pod with a spec. */
export const writePod = (spec: JsonObject, more: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  write({ resource: pods, object: pod(spec), ...more });
