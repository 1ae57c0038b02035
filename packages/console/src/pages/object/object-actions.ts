/** The actions on the object, for its menu and the palette. */
import type { DynamicObject } from 'kindforge/client';
import badgeCheck from '~icon/badge-check';
import clipboard from '~icon/clipboard-copy';
import copyPlus from '~icon/copy-plus';
import download from '~icon/download';
import fileText from '~icon/file-text';
import heartPulse from '~icon/heart-pulse';
import key from '~icon/key-round';
import logOut from '~icon/log-out';
import palette from '~icon/palette';
import pencil from '~icon/pencil';
import scaling from '~icon/scaling';
import terminal from '~icon/terminal';
import trash from '~icon/trash-2';
import type { Action } from '../../app/actions.svelte.js';
import { createHref } from '../../app/addresses.js';
import { drafts } from '../../app/drafts.js';
import { router, withQuery } from '../../app/router.svelte.js';
import { toast } from '../../app/toasts.svelte.js';
import { cleanCopy, kubectlCommand } from '../../object/copy.js';
import type { Shown } from './kind-client.js';
import type { Deed } from './possible.js';
import { saveFile } from './save-file.js';

/** Opens a dialog of the page. The dialog has its own address. */
const openDialog = (deed: string) => (): void => router.go(withQuery({ do: deed }));
const openTab = (tab: string) => (): void => router.go(withQuery({ tab, do: undefined }));

/** Returns the actions that the user may do. */
export function actionsOf(shown: Shown, object: DynamicObject, deeds: ReadonlySet<Deed>): readonly Action[] {
  const { kind, namespace, name, live } = shown;
  const isHere = live.state !== 'deleted';
  const when = (deed: Deed, action: Action): readonly Action[] => (deeds.has(deed) && isHere ? [action] : []);
  const isDecided = hasDecision(object);
  return [
    ...when('edit', { id: 'object-edit', label: 'Edit', icon: pencil, keys: 'e', run: openTab('edit') }),
    ...when('logs', { id: 'object-logs', label: 'Logs', icon: fileText, keys: 'l', run: openTab('logs') }),
    ...when('exec', { id: 'object-exec', label: 'Run a command', icon: terminal, keys: 'r', run: openTab('exec') }),
    ...when('scale', { id: 'object-scale', label: 'Scale…', icon: scaling, keys: 's', run: openDialog('scale') }),
    ...(isDecided
      ? []
      : when('approve', {
          id: 'object-approve',
          label: 'Approve or deny…',
          icon: badgeCheck,
          run: openDialog('approve'),
        })),
    ...when('token', { id: 'object-token', label: 'Request a token…', icon: key, run: openDialog('token') }),
    ...when('evict', { id: 'object-evict', label: 'Evict…', icon: logOut, run: openDialog('evict') }),
    ...when('status', { id: 'object-status', label: 'Edit status…', icon: heartPulse, run: openDialog('status') }),
    { id: 'object-fields', label: 'Who set which field', icon: palette, keys: 'f', run: openTab('fields') },
    ...(deeds.has('create')
      ? [{ id: 'object-copy', label: 'Duplicate…', icon: copyPlus, run: () => duplicate(shown, object) }]
      : []),
    { id: 'object-yaml', label: 'Download YAML', icon: download, run: () => saveFile(object, kind.kind, 'yaml') },
    { id: 'object-json', label: 'Download JSON', icon: download, run: () => saveFile(object, kind.kind, 'json') },
    {
      id: 'object-kubectl',
      label: 'Copy kubectl command',
      icon: clipboard,
      run: () => copy(kubectlCommand(kind, namespace, name)),
    },
    ...when('delete', { id: 'object-delete', label: 'Delete…', icon: trash, run: openDialog('delete') }),
  ];
}

function hasDecision({ status }: DynamicObject): boolean {
  const conditions = typeof status === 'object' && status !== null && 'conditions' in status ? status.conditions : [];
  const isDecision = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'type' in value && /^(Approved|Denied)$/.test(String(value.type));
  return Array.isArray(conditions) && conditions.some(isDecision);
}

/** Opens the page that creates objects, with a copy. Only this tab has the copy, so a link has only the kind. */
function duplicate({ kind, namespace }: Shown, object: DynamicObject): void {
  const copy = cleanCopy(object);
  drafts.write(
    'create-copy',
    JSON.stringify({ ...copy, metadata: { ...copy.metadata, name: `${copy.metadata.name}-copy` } }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  );
  router.go(`${createHref(kind, namespace)}&from=copy`);
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast.show({ text: `Copied: ${text}`, tone: 'good' }),
    () => toast.show({ text, tone: 'info' }),
  );
}
