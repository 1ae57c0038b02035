/** The errors of PostgreSQL, converted for the store. */
import { expect, it } from 'vitest';
import { toProblem } from '../../../../../runtime/storage/postgres/errors.js';

const sent = (severity: string, code: string): Error => Object.assign(new Error('it said so'), { severity, code });

it.each([
  ['a full disk', sent('ERROR', '53100'), { problem: 'refused', full: true }],
  ['a full disk that ends the server, maybe after the commit', sent('PANIC', '53100'), { problem: 'uncertain' }],
  ['an error of the disk that ends the server', sent('PANIC', '58030'), { problem: 'uncertain' }],
  ['a defect that ends the connection', sent('FATAL', 'XX000'), { problem: 'uncertain' }],
  ['the end of the server', sent('FATAL', '57P01'), { problem: 'uncertain' }],
  ['the end of the connection', new Error('Connection terminated'), { problem: 'uncertain' }],
  ['a missing right', sent('ERROR', '42501'), { problem: 'refused' }],
  ['a deadlock', sent('ERROR', '40P01'), { problem: 'unsent' }],
])('converts %s for a change', (_name, error, problem) =>
  expect(toProblem(error, 'changing', 'db:5432')).toMatchObject({
    ...problem,
    message: expect.stringContaining(`PostgreSQL at db:5432: ${error.message}`),
  }),
);

it('reports that nothing was done when it could not connect', () =>
  expect(toProblem(sent('FATAL', '57P03'), 'connecting', 'db:5432')).toMatchObject({ problem: 'unsent' }));
