/**
 * PodNodeSelector: adds the node selector of the namespace to pods, and refuses selectors that the namespace does not
 * allow.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  Result,
} from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/failures.js';
import { isString, objectAt } from '../../runtime/objects/guards.js';
import { labelValue, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { notFound } from '../../runtime/objects/status.js';
import { fields, mapping, type Schema, text } from './configuration.js';
import { defineAdmissionPlugin, handlesObjects, refuse } from './define-admission-plugin.js';

/** The key of the cluster's default in the configuration; no namespace can have this name. */
const clusterDefault = 'clusterDefaultNodeSelector';

export function definePodNodeSelector({ rename }: Naming): AdmissionPlugin {
  const annotation = rename('scheduler.alpha.platform.io/node-selector');
  let configured: ReadonlyMap<string, NodeLabels> = new Map();

  /** Returns the labels that a namespace asks for, or the cluster's default. */
  function labelsOf({ metadata }: ApiObject): Result<NodeLabels> {
    const own = objectAt(metadata, 'annotations')?.[annotation];
    return isString(own) ? readNodeSelector(own) : { ok: true, value: configured.get(clusterDefault) ?? new Map() };
  }

  /** Returns the node labels for a pod's namespace, or why the pod is refused. */
  function neededBy(attributes: AdmissionAttributes, context: AdmissionContext): Result<NodeLabels> {
    const namespace = context.get('', 'namespaces', '', attributes.namespace);
    if (!namespace) return { ok: false, failure: notFound('', 'namespaces', attributes.namespace) };
    const read = labelsOf(namespace);
    if (read.ok) return read;
    const why = `annotation ${annotation} of the namespace: ${read.failure.message}`;
    return { ok: false, failure: refuse(attributes, why) };
  }

  function check(attributes: AdmissionAttributes, selector: JsonObject, needed: NodeLabels): Failure | undefined {
    if ([...needed].some(([key, value]) => Object.hasOwn(selector, key) && selector[key] !== value)) {
      return refuse(attributes, 'pod node label selector conflicts with its namespace node label selector');
    }
    const allowed = configured.get(attributes.namespace);
    if (!allowed?.size || Object.entries(selector).every(([key, value]) => allowed.get(key) === value))
      return undefined;
    return refuse(attributes, 'pod node label selector labels conflict with its namespace whitelist');
  }

  return defineAdmissionPlugin({
    name: 'PodNodeSelector',
    configuration: {
      apiVersions: [],
      schema: fields({ podNodeSelectorPluginConfig: mapping(nodeSelector) }),
      byDefault: { podNodeSelectorPluginConfig: configured },
    },
    start(_host, { podNodeSelectorPluginConfig }) {
      configured = podNodeSelectorPluginConfig;
    },
    // The selector of a pod can only become narrower later.
    handles: handlesObjects('', 'pods', 'CREATE'),
    admit(attributes, context) {
      const spec = objectAt(attributes.object, 'spec');
      if (!spec) return undefined;
      const needed = neededBy(attributes, context);
      if (!needed.ok) return needed.failure;
      const selector = { ...Object.fromEntries(needed.value), ...objectAt(spec, 'nodeSelector') };
      const refused = check(attributes, selector, needed.value);
      if (!refused && needed.value.size > 0) spec.nodeSelector = selector;
      return refused;
    },
    // Checks again, because later plugins may have added labels.
    validate(attributes, context) {
      const needed = neededBy(attributes, context);
      if (!needed.ok) return needed.failure;
      return check(attributes, objectAt(objectAt(attributes.object, 'spec'), 'nodeSelector') ?? {}, needed.value);
    },
  });
}

const nodeSelector: Schema<NodeLabels> = (value, path, refuseValue) => {
  const given = text(value, path, refuseValue);
  const read = given && readNodeSelector(given.value);
  if (read && !read.ok) refuseValue(path, read.failure.message);
  return read?.ok ? read : undefined;
};

/** Labels that a node must have. */
type NodeLabels = ReadonlyMap<string, string>;

/** Reads a selector. An empty one matches all nodes; if a label occurs twice, the last value counts. */
function readNodeSelector(text: string): Result<NodeLabels> {
  const labels = new Map<string, string>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [key = '', value, ...more] = part.split('=').map((side) => side.trim());
    if (value === undefined || more.length > 0) {
      return { ok: false, failure: badRequest(`invalid selector: ${quote(part.trim())} is not <label>=<value>`) };
    }
    const [problem] = [...qualifiedNameCheck(key), ...labelValue(value)];
    if (problem !== undefined) {
      return { ok: false, failure: badRequest(`invalid selector: ${quote(part.trim())}: ${problem}`) };
    }
    labels.set(key, value);
  }
  return { ok: true, value: labels };
}
