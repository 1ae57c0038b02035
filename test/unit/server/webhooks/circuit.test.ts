import { beforeEach, describe, expect, it } from 'vitest';
import { type CallOutcome, Circuit, mostLate, pauseMs } from '../../../../server/webhooks/circuit.js';

let now = 0;
let changes: string[];
let circuit: Circuit;
beforeEach(() => {
  changes = [];
  circuit = new Circuit(
    'a',
    (state) => changes.push(state),
    () => now,
  );
});

/** Makes as many calls as the circuit allows, and returns their number. */
function calls(...outcomes: readonly CallOutcome[]): number {
  let made = 0;
  for (const outcome of outcomes) {
    const call = circuit.admit();
    if (!call) continue;
    made++;
    circuit.note(call, outcome);
  }
  return made;
}

const late = (count: number): CallOutcome[] => Array.from({ length: count }, () => 'late');

it('opens after so many late calls in a row, and then allows none', () => {
  expect(calls(...late(mostLate + 3))).toBe(mostLate);
  expect(circuit.state).toBe('open');
  expect(changes).toEqual(['open']);
});

it('stays closed if an answer comes in between', () => {
  calls(...late(mostLate - 1), 'ended', ...late(mostLate - 1));
  expect(circuit.state).toBe('closed');
});

it('does not count calls with a shortened time limit', () => {
  calls(...Array.from({ length: 100 }, (): CallOutcome => 'unknown'));
  expect(circuit.state).toBe('closed');
});

describe('after its pause', () => {
  beforeEach(() => {
    calls(...late(mostLate));
    now += pauseMs;
  });

  it('allows one call, and the others once it is answered', () => {
    const trial = circuit.admit();
    expect(trial).toBeDefined();
    expect(circuit.state).toBe('half-open');
    expect(circuit.admit()).toBeUndefined();
    if (trial) circuit.note(trial, 'ended');
    expect(calls('ended', 'ended')).toBe(2);
    expect(changes).toEqual(['open', 'closed']);
  });

  it('waits again if that call is late', () => {
    expect(calls('late', 'late')).toBe(1);
    now += pauseMs - 1;
    expect(calls('ended')).toBe(0);
    now += 1;
    expect(calls('ended')).toBe(1);
    expect(changes).toEqual(['open', 'closed']);
  });

  it('allows the next call if that one proved nothing', () => {
    expect(calls('unknown', 'ended')).toBe(2);
    expect(circuit.state).toBe('closed');
  });
});

it('ignores late calls that began before it opened', () => {
  const early = [circuit.admit(), circuit.admit()];
  calls(...late(mostLate));
  now += pauseMs;
  const trial = circuit.admit();
  for (const call of early) if (call) circuit.note(call, 'late');
  expect(circuit.state).toBe('half-open');
  if (trial) circuit.note(trial, 'ended');
  expect(circuit.state).toBe('closed');
});
