/** Field ownership of writes: recorded entries, and fields that a path never owns. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule, Subresource } from '../../../../../runtime/contract/index.js';
import { encodeFieldSet } from '../../../../../runtime/merge/field-set.js';
import { resetFieldsOf, serveResource } from '../../../../../runtime/resource/serve-resource.js';
import { recordOwnership } from '../../../../../runtime/write/stages/ownership.js';
import { requestTime, writeOf } from '../../../../support/verb-requests.js';
import { widget, widgetStatus, widgets } from '../../../../support/widgets.js';

const resetBy = (subresource: string, more: Partial<ResourceModule> = {}) =>
  encodeFieldSet(resetFieldsOf(serveResource({ ...widgets, ...more }), subresource));

describe('fields that a write cannot change', () => {
  it('are the status for the object itself', () => {
    expect(resetBy('')).toEqual({ 'f:status': {} });
  });

  it('are empty if no subresource owns the status', () => {
    expect(resetBy('', { subresources: [] })).toEqual({});
  });

  it('include the untracked fields of the resource', () => {
    expect(resetBy('', { untracked: ['spec.size'] })).toEqual({ 'f:spec': { 'f:size': {} }, 'f:status': {} });
  });

  it('are all fields except its own for a subresource, and for custom resources except metadata too', () => {
    expect(resetBy('status', { decoding: 'typed' })).toEqual({ 'f:metadata': {}, 'f:spec': {} });
    expect(resetBy('status')).toEqual({ 'f:spec': {} });
  });

  it('do not include metadata if the subresource may write it', () => {
    const status: Subresource = { ...widgetStatus, writesMetadata: true, untracked: ['status.ready'] };
    expect(resetBy('status', { subresources: [status] })).toEqual({
      'f:spec': {},
      'f:status': { 'f:ready': {} },
    });
  });

  it('include the rest of a field that the subresource writes a part of', () => {
    const part: Subresource = { ...widgetStatus, name: 'part', writes: ['spec.size'], writesMetadata: true };
    expect(resetBy('part', { subresources: [part] })).toEqual({
      'f:spec': { 'f:color': {}, 'f:parts': {} },
      'f:status': {},
    });
  });
});

describe('recording a write', () => {
  it('names the manager, the version and the time', () => {
    const object = { ...widget('a', { size: 1 }), status: { ready: true } };
    recordOwnership(writeOf(), object, undefined);
    expect(object.metadata.managedFields).toEqual([
      {
        manager: 'tester',
        operation: 'Update',
        apiVersion: 'example.com/v1',
        time: requestTime,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { '.': {}, 'f:size': {} } },
      },
    ]);
  });

  it('gives a changed field to its writer, the others stay with their owner', () => {
    const live = widget('a', { size: 1, color: 'red' });
    recordOwnership({ ...writeOf(), manager: 'first' }, live, undefined);
    const next = widget('a', { size: 1, color: 'blue' });
    recordOwnership(writeOf(), next, live);
    const owned = next.metadata.managedFields?.map(({ manager, fieldsV1 }) => [manager, fieldsV1]);
    expect(owned).toEqual([
      ['first', { 'f:spec': { '.': {}, 'f:size': {} } }],
      ['tester', { 'f:spec': { 'f:color': {} } }],
    ]);
  });
});
