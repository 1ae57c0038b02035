/** Pods and their containers for tests of the kind. */
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { definePods } from '../../../../strategies/core/pods.js';
import { storedLike } from '../../../support/stored-objects.js';

export const handlers = definePods(platformNaming);

/** Makes a container with the defaults of the definition. */
export const container = (more: JsonObject = {}): JsonObject => ({
  name: 'c',
  image: 'image:1',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  ...more,
});

export const pod = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): ApiObject =>
  storedLike(handlers, { spec, status: { phase: 'Pending', qosClass: 'BestEffort', ...status } }, metadata);
