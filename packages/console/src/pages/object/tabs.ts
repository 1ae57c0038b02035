/** The tabs of the page. A tab is loaded when it is first shown. */
import type { DynamicObject } from 'kindforge/client';
import type { Component } from 'svelte';
import { lazily } from '../../data/connection.svelte.js';
import type { Shown } from './kind-client.js';
import type { Deed } from './possible.js';

/** The props of each tab. */
export interface TabProps {
  shown: Shown;
  object: DynamicObject;
  deeds: ReadonlySet<Deed>;
  query: URLSearchParams;
}

const loaders = {
  overview: () => import('./Overview.svelte'),
  edit: () => import('./EditTab.svelte'),
  fields: () => import('./FieldsTab.svelte'),
  owners: () => import('./OwnersTab.svelte'),
  history: () => import('./HistoryTab.svelte'),
  logs: () => import('./pods/LogsTab.svelte'),
  exec: () => import('./pods/ExecTab.svelte'),
} as const;

export type TabId = keyof typeof loaders;

/** Returns the tabs of an object. `hasHistory` is true if the server keeps its earlier revisions. */
export function tabsOf(
  deeds: ReadonlySet<Deed>,
  hasHistory: boolean,
): readonly { readonly id: TabId; readonly label: string }[] {
  return [
    { id: 'overview', label: 'Overview' },
    { id: 'edit', label: deeds.has('edit') ? 'Edit' : 'YAML' },
    { id: 'fields', label: 'Fields' },
    { id: 'owners', label: 'Owners' },
    ...(hasHistory ? [{ id: 'history' as const, label: 'History' }] : []),
    ...(deeds.has('logs') ? [{ id: 'logs' as const, label: 'Logs' }] : []),
    ...(deeds.has('exec') ? [{ id: 'exec' as const, label: 'Run' }] : []),
  ];
}

export const loadTab = (id: TabId): Promise<{ default: Component<TabProps> }> => lazily(loaders[id]);
