/** PriorityLevelConfiguration: the fields that belong together, and its columns. */
import { definePriorityLevelConfigurationHandlers } from '../../generated/flowcontrol.platform.io/v1beta3/prioritylevelconfigurations/handlers.js';
import type { PriorityLevelConfiguration } from '../../generated/flowcontrol.platform.io/v1beta3/prioritylevelconfigurations/types.js';
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  QueuingConfiguration,
} from '../../generated/types/flowcontrol/v1/types.js';
import type { LimitedPriorityLevelConfiguration as EarlierLimits } from '../../generated/types/flowcontrol/v1beta2/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import type { Release } from '../../runtime/objects/release.js';
import { fixedSpecErrors, flowConditionErrors, mandatoryPriorityLevels } from './mandatory-flow-control.js';

const types = ['Exempt', 'Limited'] as const;
const responses = ['Queue', 'Reject'] as const;

/** The only level without a limit. */
const unbounded = 'exempt';

/** Bits of the hash that assigns queues to a flow. */
const maxHashBits = 60;

type Level = DraftObject<PriorityLevelConfiguration>;

const queuing = 'spec.limited.limitResponse.queuing';

const checkedFields = [
  ...['spec.type', 'spec.limited.nominalConcurrencyShares', 'spec.limited.limitResponse.type'],
  ...[`${queuing}.queueLengthLimit`, `${queuing}.queues`, `${queuing}.handSize`],
  ...['spec.exempt.nominalConcurrencyShares', 'spec.exempt.lendablePercent', 'spec.exempt'],
  ...['spec.limited.lendablePercent', 'spec.limited.borrowingLimitPercent', 'status.conditions[]'],
];

export function definePriorityLevelConfigurations(release: Release): KindHandlers {
  const hasExempt = release.does('exemptPriorityLevels');
  return definePriorityLevelConfigurationHandlers({
    canonicalize: ({ spec }) => {
      if (hasExempt && spec?.type === 'Exempt') spec.exempt ??= { nominalConcurrencyShares: 0, lendablePercent: 0 };
    },
    updateChecks: ['metadata', 'fields'],
    errorOrder: checkedFields,
    validate(level, { subresource }) {
      const conditions = flowConditionErrors(level.status?.conditions);
      if (subresource === 'status') return conditions;
      return [...specErrors(level, hasExempt), ...fixedLevelErrors(level, hasExempt), ...conditions];
    },
    columns: {
      NominalConcurrencyShares: sharesOf,
      Queues: queuingNumber('queues'),
      HandSize: queuingNumber('handSize'),
      QueueLengthLimit: queuingNumber('queueLengthLimit'),
    },
  });
}

/** Everything in the spec of a mandatory level is fixed, except what an unbounded one reserves and lends. */
function fixedLevelErrors({ metadata, spec }: Level, hasExempt: boolean): readonly FieldError[] {
  const { exempt: _, ...fixed } = spec ?? {};
  const errors = fixedSpecErrors({ metadata, spec: fixed }, mandatoryPriorityLevels);
  const rule = `spec of '${unbounded}' except the 'spec.exempt' field must equal the fixed value`;
  if (errors.length === 0 || !hasExempt || metadata.name !== unbounded) return errors;
  return [invalidValue('spec', spec, rule)];
}

function specErrors({ metadata, spec = {} }: Level, hasExempt: boolean): readonly FieldError[] {
  const { type = '', limited, exempt } = spec;
  const isUnbounded = metadata.name === unbounded;
  const rule = hasExempt
    ? `must be 'Exempt' if and only if \`name\` is '${unbounded}'`
    : `type must be 'Exempt' if and only if name is '${unbounded}'`;
  return [
    ...(isUnbounded === (type === 'Exempt') ? [] : [invalidValue('spec.type', type, rule)]),
    ...(type === 'Limited' && exempt ? [forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...limitErrors(type, limited, hasExempt),
  ];
}

function limitErrors(
  type: string,
  limited: Draft<LimitedPriorityLevelConfiguration> | undefined,
  needsType: boolean,
): readonly FieldError[] {
  const field = 'spec.limited';
  if (type === 'Exempt') return limited ? [forbidden(field, 'must be nil if the type is not Limited')] : [];
  if (type !== 'Limited') return [notSupported('spec.type', type, types)];
  if (limited === undefined) return [required(field, 'must not be empty when type is Limited')];
  return responseErrors(limited.limitResponse, `${field}.limitResponse`, needsType);
}

function responseErrors(
  { type = '', queuing }: Draft<LimitResponse> = {},
  field: string,
  needsType: boolean,
): readonly FieldError[] {
  if (needsType && type === '') return [required(`${field}.type`)];
  if (type === 'Reject') {
    const why = 'must be nil if limited.limitResponse.type is not Limited';
    return queuing ? [forbidden(`${field}.queuing`, why)] : [];
  }
  if (type !== 'Queue') return [notSupported(`${field}.type`, type, responses)];
  const why = 'must not be empty if limited.limitResponse.type is Limited';
  return queuing ? handErrors(queuing, `${field}.queuing.handSize`) : [required(`${field}.queuing`, why)];
}

/** A hand is at most as large as the number of queues, and the hash must be long enough to deal it. */
function handErrors(
  { queues = 0, handSize: hand = 0 }: Draft<QueuingConfiguration>,
  field: string,
): readonly FieldError[] {
  if (hand <= 0) return [];
  if (hand > queues) return [invalidValue(field, hand, `should not be greater than queues (${queues})`)];
  if (Math.ceil(Math.log2(queues) * hand) <= maxHashBits) return [];
  const rule = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than`;
  return [invalidValue(field, hand, `${rule} ${maxHashBits}`)];
}

/** Tables show the requested version; earlier versions use another name for the shares. */
type Limits = Draft<LimitedPriorityLevelConfiguration> & Draft<EarlierLimits>;

function sharesOf({ spec }: Level): number | string {
  const limited: Limits | undefined = spec?.limited;
  return limited?.nominalConcurrencyShares ?? limited?.assuredConcurrencyShares ?? '<none>';
}

/** Returns a column with a number of the level's queues; `<none>` without queues. */
const queuingNumber =
  (field: keyof QueuingConfiguration) =>
  ({ spec }: Level): number | string => {
    const queuing = spec?.limited?.limitResponse?.queuing;
    return queuing === undefined ? '<none>' : (queuing[field] ?? 0);
  };
