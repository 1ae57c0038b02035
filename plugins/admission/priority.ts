/**
 * Priority: sets a pod's priority from its class, and allows one default class. SystemPriorities keeps the system's
 * classes from being deleted.
 */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
} from '../../runtime/contract/index.js';
import { isInteger, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { MarkedObjects } from './default-classes.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';

export function definePriority({ rename }: Naming): AdmissionPlugin {
  const group = rename('scheduling.platform.io');
  const defaults = new MarkedObjects(isDefault);
  const isPods = handlesObjects('', 'pods', 'CREATE', 'UPDATE');
  const isClasses = handlesObjects(group, 'priorityclasses', 'CREATE', 'UPDATE');
  return {
    name: 'Priority',
    start: (host) => void host.follow(group, 'priorityclasses', defaults),
    handles: (...what) => isPods(...what) || isClasses(...what),
    admit(attributes, context) {
      const { resource, object, oldObject } = attributes;
      const spec = objectAt(object, 'spec');
      if (resource.group !== '' || !spec) return undefined;
      if (attributes.operation === 'CREATE')
        return setPriority(attributes, spec, classOf(spec, group, defaults, context));
      keepPriority(spec, objectAt(oldObject, 'spec'));
      return undefined;
    },
    validate: (attributes) =>
      attributes.resource.group === group ? checkOnlyDefault(attributes, defaultOf(defaults)) : undefined,
  };
}

const isDefault = (priorityClass: ApiObject): boolean => priorityClass.globalDefault === true;

/** Returns the default class. If two servers admitted two defaults at once, the lowest wins. */
const defaultOf = (defaults: MarkedObjects): ApiObject | undefined =>
  [...defaults.all()].sort((a, b) => classValue(a) - classValue(b))[0];

const classValue = ({ value }: ApiObject): number => (isInteger(value) ? Number(value) : 0);

interface Computed {
  readonly className: string;
  readonly priority: number;
  readonly policy: string;
}

/** Returns the class of a pod, `undefined` if the class does not exist. */
function classOf(
  spec: JsonObject,
  group: string,
  defaults: MarkedObjects,
  context: AdmissionContext,
): Computed | undefined {
  const named = stringAt(spec, 'priorityClassName');
  const found = named ? context.get(group, 'priorityclasses', '', named) : defaultOf(defaults);
  if (named && !found) return undefined;
  return {
    className: named || (found?.metadata.name ?? ''),
    priority: found ? classValue(found) : 0,
    policy: stringAt(found, 'preemptionPolicy') || 'PreemptLowerPriority',
  };
}

function setPriority(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  computed: Computed | undefined,
): Failure | undefined {
  if (!computed) {
    return refuse(attributes, `no PriorityClass with name ${stringAt(spec, 'priorityClassName')} was found`);
  }
  const { className, priority, policy } = computed;
  const end = 'from the given PriorityClass name';
  if (isInteger(spec.priority) && Number(spec.priority) !== priority) {
    const said = `the integer value of priority (${spec.priority}) must not be provided in pod spec`;
    return refuse(attributes, `${said}; priority admission controller computed ${priority} ${end}`);
  }
  const own = stringAt(spec, 'preemptionPolicy');
  if (own && own !== policy) {
    const said = `the string value of PreemptionPolicy (${own}) must not be provided in pod spec`;
    return refuse(attributes, `${said}; priority admission controller computed ${policy} ${end}`);
  }
  if (className) spec.priorityClassName = className;
  spec.priority = priority;
  spec.preemptionPolicy = policy;
  return undefined;
}

/** Restores the values that were computed at creation if an update omits them. */
function keepPriority(spec: JsonObject, old: JsonObject = {}): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
  }
}

function checkOnlyDefault(attributes: AdmissionAttributes, found: ApiObject | undefined): Failure | undefined {
  const { object, operation } = attributes;
  if (!object || !isDefault(object) || !found) return undefined;
  if (operation === 'UPDATE' && found.metadata.name === object.metadata.name) return undefined;
  const why = `PriorityClass ${found.metadata.name} is already marked as default. Only one default can exist`;
  return refuse(attributes, why);
}

const names: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);

export function defineSystemPriorities({ rename }: Naming): AdmissionPlugin {
  const group = rename('scheduling.platform.io');
  return {
    name: 'SystemPriorities',
    handles: (resource, operation) =>
      operation === 'DELETE' && resource.group === group && resource.names.plural === 'priorityclasses',
    validate: (attributes) =>
      names.has(attributes.name)
        ? refuse(attributes, 'this is a system priority class and cannot be deleted')
        : undefined,
  };
}
