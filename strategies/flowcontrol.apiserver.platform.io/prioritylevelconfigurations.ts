/** PriorityLevelConfiguration: which parts belong together, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { hasAt, numberAt } from '../shared/reading.js';
import { flowConditionErrors } from './conditions.js';
import { mandatoryPriorityLevels } from './mandatory-flow-control.js';
import { fixedSpecErrors } from './mandatory-specs.js';

const types = ['Exempt', 'Limited'] as const;
const responses = ['Queue', 'Reject'] as const;

/** The one level without bounds. */
const unbounded = 'exempt';

/** Bits of the hash by which flows are dealt their queues. */
const maxHashBits = 60;

export function definePriorityLevelConfigurationStrategy(): Strategy {
  return {
    kind: 'flowcontrol.apiserver.platform.io/PriorityLevelConfiguration',
    validate: (object, { subresource }) =>
      subresource === 'status'
        ? flowConditionErrors(object)
        : [...specErrors(object), ...fixedSpecErrors(object, mandatoryPriorityLevels), ...flowConditionErrors(object)],
    cell: levelCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');

function specErrors(object: ApiObject): readonly FieldError[] {
  const type = stringAt(specOf(object), 'type');
  const limited = objectAt(specOf(object), 'limited');
  const isUnbounded = object.metadata.name === unbounded;
  const rule = `type must be 'Exempt' if and only if name is '${unbounded}'`;
  return [
    ...(isUnbounded === (type === 'Exempt') ? [] : [invalidValue('spec.type', type, rule)]),
    ...limitErrors(type, limited),
  ];
}

function limitErrors(type: string, limited: JsonObject | undefined): readonly FieldError[] {
  const field = 'spec.limited';
  if (type === 'Exempt') return limited ? [forbidden(field, 'must be nil if the type is not Limited')] : [];
  if (type !== 'Limited') return [notSupported('spec.type', type, types)];
  if (limited === undefined) return [required(field, 'must not be empty when type is Limited')];
  return responseErrors(objectAt(limited, 'limitResponse'), `${field}.limitResponse`);
}

function responseErrors(response: JsonObject | undefined, field: string): readonly FieldError[] {
  const type = stringAt(response, 'type');
  const queuing = objectAt(response, 'queuing');
  if (type === 'Reject') {
    const why = 'must be nil if limited.limitResponse.type is not Limited';
    return queuing ? [forbidden(`${field}.queuing`, why)] : [];
  }
  if (type !== 'Queue') return [notSupported(`${field}.type`, type, responses)];
  const why = 'must not be empty if limited.limitResponse.type is Limited';
  return queuing ? handErrors(queuing, `${field}.queuing.handSize`) : [required(`${field}.queuing`, why)];
}

/** A hand is dealt from the queues there are, by a hash that is long enough. */
function handErrors(queuing: JsonObject, field: string): readonly FieldError[] {
  const queues = numberAt(queuing, 'queues');
  const hand = numberAt(queuing, 'handSize');
  if (hand <= 0) return [];
  if (hand > queues) return [invalidValue(field, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= maxHashBits) return [];
  const rule = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than`;
  return [invalidValue(field, hand, `${rule} ${maxHashBits}`)];
}

const queueFields: ReadonlyMap<string, string> = new Map([
  ['Queues', 'queues'],
  ['HandSize', 'handSize'],
  ['QueueLengthLimit', 'queueLengthLimit'],
]);

const shares = ['nominalConcurrencyShares', 'assuredConcurrencyShares'] as const;

/** Numbers where there are some, and a word where there are none. */
const levelCell: Strategy['cell'] = (object, column) => {
  const limited = objectAt(specOf(object), 'limited');
  if (column === 'NominalConcurrencyShares') {
    const field = shares.find((name) => hasAt(limited, name));
    return field === undefined ? '<none>' : numberAt(limited, field);
  }
  const field = queueFields.get(column);
  if (field === undefined) return undefined;
  const queuing = objectAt(objectAt(limited, 'limitResponse'), 'queuing');
  return queuing === undefined ? '<none>' : numberAt(queuing, field);
};
