/** Labels and icons for the fates of documents. */
import type { Fate } from '../../plan/plan.js';

interface Look {
  readonly tone: 'good' | 'info' | 'plain' | 'bad' | 'warn';
  readonly label: string;
}

export const looks: ReadonlyMap<Fate, Look> = new Map([
  ['refused', { tone: 'bad', label: 'Refused' }],
  ['conflict', { tone: 'warn', label: 'Conflict' }],
  ['created', { tone: 'good', label: 'New' }],
  ['waits', { tone: 'good', label: 'New, after others' }],
  ['changed', { tone: 'info', label: 'Changed' }],
  ['unchanged', { tone: 'plain', label: 'Unchanged' }],
]);
