/** Names of definitions: what is free is accepted, what others have is not. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { acceptNames } from '../../../../../runtime/registry/definitions/accepted-names.js';

const wanted: JsonObject = {
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd', 'wi'],
  kind: 'Widget',
  listKind: 'WidgetList',
  categories: ['all'],
};
const nothing: JsonObject = { plural: '', kind: '' };
const accept = (resources: string[], kinds: string[] = [], accepted = nothing) =>
  acceptNames(wanted, accepted, { resources: new Set(resources), kinds: new Set(kinds) });

describe('the names of a definition', () => {
  it('are accepted where they are free', () => {
    expect(accept(['gadgets', 'gd'], ['Gadget'])).toEqual({
      names: wanted,
      condition: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    });
  });

  it.each([
    ['plural', ['widgets'], [], 'PluralConflict', '"widgets" is already in use'],
    ['singular', ['widget'], [], 'SingularConflict', '"widget" is already in use'],
    ['shortNames', ['wi'], [], 'ShortNamesConflict', '"wi" is already in use'],
    ['shortNames', ['wd', 'wi'], [], 'ShortNamesConflict', '["wd" is already in use, "wi" is already in use]'],
    ['kind', [], ['Widget'], 'KindConflict', '"Widget" is already in use'],
    ['listKind', [], ['WidgetList'], 'ListKindConflict', '"WidgetList" is already in use'],
  ] as const)('are accepted but for a %s that another resource has', (field, resources, kinds, reason, message) => {
    const { names, condition } = accept([...resources], [...kinds]);
    const { [field]: _taken, ...rest } = wanted;
    expect(names).toEqual({ ...nothing, ...rest });
    expect(condition).toMatchObject({ status: 'False', reason, message });
  });

  it('are told of in one conflict, the last', () => {
    expect(accept(['widgets', 'wd'], ['WidgetList']).condition.reason).toBe('ListKindConflict');
  });

  it('stay accepted whoever asks for them later', () => {
    expect(accept(['widgets', 'wd'], ['Widget'], wanted).condition.status).toBe('True');
  });

  it('stay what they were where a new one is taken, but for categories', () => {
    const before = { ...wanted, kind: 'Old', categories: ['none'] };
    expect(accept([], ['Widget'], before).names).toEqual({ ...wanted, kind: 'Old' });
  });

  it('may do without short names and categories', () => {
    const few = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
    const accepted = acceptNames(few, wanted, { resources: new Set(), kinds: new Set() });
    expect(accepted.names).toEqual(few);
  });
});
