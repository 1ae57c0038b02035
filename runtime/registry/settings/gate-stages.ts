/** All gates that a server has, each with its stage. */
import type { ResourceModule } from '../../contract/index.js';
import { type GateStage, knownGates } from './known-gates.js';
import { gatesOf } from './named-gates.js';

/** Those that only definitions name are alpha. */
export const gateStages = (modules: readonly ResourceModule[]): ReadonlyMap<string, GateStage> =>
  new Map([
    ...[...gatesOf(modules)].map((gate): [string, GateStage] => [gate, 'alpha']),
    ...Object.entries(knownGates).map(([gate, { stage }]): [string, GateStage] => [gate, stage]),
  ]);
