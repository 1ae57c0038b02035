/** The states that a gate can have in a release. */

/** A gate's stage: alpha is usually off, beta is usually on, and a GA gate has nothing left to switch. */
export type GateStage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** One gate, in one release. */
export interface Gate {
  readonly stage: GateStage;
  readonly byDefault: boolean;
  /** Whether it can no longer be switched. */
  readonly locked: boolean;
}

/**
 * The state of a gate in a release: a stage with its usual default, or with the other one; `gone` if flags refuse the
 * gate.
 */
export type GateState = keyof typeof states | 'gone';

export const states = {
  alpha: { stage: 'alpha', byDefault: false, locked: false },
  alphaOn: { stage: 'alpha', byDefault: true, locked: false },
  beta: { stage: 'beta', byDefault: true, locked: false },
  betaOff: { stage: 'beta', byDefault: false, locked: false },
  ga: { stage: 'ga', byDefault: true, locked: true },
  gaOpen: { stage: 'ga', byDefault: true, locked: false },
  deprecated: { stage: 'deprecated', byDefault: false, locked: false },
  deprecatedLocked: { stage: 'deprecated', byDefault: false, locked: true },
  deprecatedOn: { stage: 'deprecated', byDefault: true, locked: false },
  deprecatedOnLocked: { stage: 'deprecated', byDefault: true, locked: true },
} as const satisfies Readonly<Record<string, Gate>>;

/** The states of a gate, in order, by the release in which each begins. */
export type GateHistory = Readonly<Record<`1.${number}`, GateState>> & {
  /** For the docs: a behaviour that the gate switches here, besides kinds and fields. */
  readonly here?: string;
};

/** Returns the releases that changed a gate, each with the state from then on. */
export const changesOf = (history: GateHistory): readonly (readonly [release: string, state: GateState])[] =>
  Object.entries(history).flatMap(([key, value]) => (isState(value) ? [[key, value]] : []));

const isState = (text: string): text is GateState => text === 'gone' || Object.hasOwn(states, text);
