/** The support function of printed handlers. */
import { expect, it } from 'vitest';
import { ofKind } from '../../../../runtime/objects/handler-support.js';
import { widgets } from '../../../support/widgets.js';

it('joins handlers with their kind, and changes neither', () => {
  const handlers = Object.freeze({ orphanWarning: 'orphans' });
  expect(ofKind(widgets, handlers)).toEqual({ orphanWarning: 'orphans', resource: widgets });
  expect(ofKind(widgets, handlers).resource).toBe(widgets);
});
