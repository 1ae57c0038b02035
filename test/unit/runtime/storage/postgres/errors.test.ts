/** The errors of PostgreSQL, converted for the store. */
import { expect, it } from 'vitest';
import { toProblem } from '../../../../../runtime/storage/postgres/errors.js';

const sent = (code: string): Error => Object.assign(new Error('es sagt es so'), { severity: 'FEHLER', code });

it.each([
  ['a full disk', sent('53100'), { problem: 'refused', full: true }],
  ['the end of the server', sent('57P01'), { problem: 'uncertain' }],
  ['the end of the connection', new Error('Connection terminated'), { problem: 'uncertain' }],
  ['a missing right', sent('42501'), { problem: 'refused' }],
  ['a deadlock', sent('40P01'), { problem: 'unsent' }],
])('converts %s for a change', (_name, error, problem) =>
  expect(toProblem(error, 'changing', 'db:5432')).toMatchObject({
    ...problem,
    message: expect.stringContaining(`PostgreSQL at db:5432: ${error.message}`),
  }),
);

it('reports that nothing was done when it could not connect', () =>
  expect(toProblem(sent('57P03'), 'connecting', 'db:5432')).toMatchObject({ problem: 'unsent' }));
