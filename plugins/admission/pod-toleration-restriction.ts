/**
 * PodTolerationRestriction: adds the tolerations of the namespace to pods, and refuses tolerations that the namespace
 * does not allow.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
  JsonObject,
  Result,
} from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { isInteger, isObject, isString, objectAt, objectsAt } from '../../runtime/objects/guards.js';
import { annotationKey } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { isBestEffort } from '../../runtime/objects/quota/pod-scopes.js';
import { notFound } from '../../runtime/objects/status.js';
import { checked, fields, list, oneOf, optional, type Schema, text, whole } from './configuration.js';
import { defineAdmissionPlugin, handlesObjects, refuse } from './define-admission-plugin.js';
import { coversToleration, mergeTolerations } from './tolerations.js';

interface Lists {
  readonly default: readonly JsonObject[];
  readonly whitelist: readonly JsonObject[];
}

export function definePodTolerationRestriction({ rename }: Naming): AdmissionPlugin {
  const annotations = {
    default: rename('scheduler.alpha.platform.io/defaultTolerations'),
    whitelist: rename('scheduler.alpha.platform.io/tolerationsWhitelist'),
  };
  const memoryPressure = { key: rename('node.platform.io/memory-pressure'), operator: 'Exists', effect: 'NoSchedule' };
  let ofCluster: Lists = { default: [], whitelist: [] };

  /** Returns a list of a pod's namespace; `undefined` if the namespace has none and the cluster's applies. */
  function ofNamespace(
    which: keyof Lists,
    attributes: AdmissionAttributes,
    context: AdmissionContext,
  ): Result<readonly JsonObject[] | undefined> {
    const namespace = context.get('', 'namespaces', '', attributes.namespace);
    if (!namespace) return { ok: false, failure: notFound('', 'namespaces', attributes.namespace) };
    const text = objectAt(namespace.metadata, 'annotations')?.[annotations[which]];
    if (!isString(text)) return { ok: true, value: undefined };
    const value = readTolerations(text);
    if (value) return { ok: true, value };
    const why = `annotation ${annotations[which]} of the namespace is not a list of tolerations in JSON`;
    return { ok: false, failure: refuse(attributes, why) };
  }

  function check(attributes: AdmissionAttributes, context: AdmissionContext): Failure | undefined {
    const tolerations = objectsAt(objectAt(attributes.object, 'spec'), 'tolerations');
    if (tolerations.length === 0) return undefined;
    const read = ofNamespace('whitelist', attributes, context);
    if (!read.ok) return read.failure;
    const allowed = read.value ?? ofCluster.whitelist;
    if (allowed.length === 0 || tolerations.every((one) => allowed.some((wide) => coversToleration(wide, one)))) {
      return undefined;
    }
    const scope = read.value ? 'namespace' : 'cluster';
    const what = 'pod tolerations (possibly merged with namespace default tolerations)';
    return refuse(attributes, `${what} conflict with its ${scope} whitelist`);
  }

  return defineAdmissionPlugin({
    name: 'PodTolerationRestriction',
    configuration: {
      apiVersions: ['podtolerationrestriction.admission.platform.io/v1alpha1'],
      kind: 'Configuration',
      schema: fields({ default: tolerationList, whitelist: tolerationList }),
      byDefault: ofCluster,
    },
    start(_host, lists) {
      ofCluster = lists;
    },
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    admit(attributes, context) {
      const spec = objectAt(attributes.object, 'spec');
      if (!spec) return undefined;
      if (attributes.operation === 'CREATE') {
        const read = ofNamespace('default', attributes, context);
        if (!read.ok) return read.failure;
        setTolerations(spec, clone([...(read.value ?? ofCluster.default)]));
      }
      if (!isBestEffort(spec)) setTolerations(spec, [{ ...memoryPressure }]);
      return check(attributes, context);
    },
    // Checks again, because later plugins may have added tolerations.
    validate: check,
  });
}

/** Adds tolerations to a pod. */
function setTolerations(spec: JsonObject, more: JsonObject[]): void {
  const tolerations = mergeTolerations(spec.tolerations, more);
  if (tolerations.length > 0) spec.tolerations = tolerations;
}

const given = checked(
  fields({
    key: optional(text, ''),
    operator: optional(oneOf('Exists', 'Equal'), undefined),
    value: optional(text, ''),
    effect: optional(oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'), undefined),
    tolerationSeconds: optional(whole(), undefined),
  }),
  ({ key, operator, value, effect, tolerationSeconds }, path, refuse) => {
    const [problem] = key === '' ? [] : annotationKey(key);
    if (problem !== undefined) refuse([...path, 'key'], problem);
    if (key === '' && operator !== 'Exists') refuse(path, 'operator must be Exists if key is empty');
    if (operator === 'Exists' && value !== '') refuse([...path, 'value'], 'must be empty if operator is Exists');
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      refuse([...path, 'effect'], 'must be NoExecute if tolerationSeconds is set');
    }
  },
);

/** Reads a list of tolerations. As in pods, empty fields count as missing. */
const tolerationList: Schema<readonly JsonObject[]> = (...what) => {
  const read = list(given)(...what);
  return read && { value: read.value.map((toleration) => withoutEmpty(toleration)) };
};

/**
 * Reads the JSON list of an annotation; `undefined` if it is not a list of tolerations. An empty text is an empty list.
 */
function readTolerations(json: string): readonly JsonObject[] | undefined {
  if (json === '') return [];
  const value = parsed(json);
  if (value === null) return [];
  if (!isTolerations(value)) return undefined;
  return value.map(withoutEmpty);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const texts = ['key', 'operator', 'value', 'effect'] as const;

const isTolerations = (value: unknown): value is JsonObject[] =>
  Array.isArray(value) &&
  value.every(
    (one: unknown) =>
      isObject(one) &&
      texts.every((field) => isAbsent(one[field]) || isString(one[field])) &&
      (isAbsent(one.tolerationSeconds) || isInteger(one.tolerationSeconds)),
  );

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Copies a toleration without empty fields. */
function withoutEmpty(toleration: JsonObject): JsonObject {
  const named = texts.flatMap((field) => (toleration[field] ? [[field, toleration[field]] as const] : []));
  const { tolerationSeconds } = toleration;
  return { ...Object.fromEntries(named), ...(isInteger(tolerationSeconds) ? { tolerationSeconds } : {}) };
}
