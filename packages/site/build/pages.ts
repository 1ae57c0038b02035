/** Reads the order of the sidebar from docs/README.md, which lists the pages. */

/** A part of the sidebar. */
export interface Part {
  readonly title: string;
  readonly groups: readonly Group[];
}

/** Pages of a part that belong together. */
export interface Group {
  /** Absent if the group is the only one of its part. */
  readonly title?: string;
  readonly pages: readonly Entry[];
}

/** A page of `docs/`. */
export interface Entry {
  readonly title: string;
  /** Its file, without `.md`. */
  readonly name: string;
}

/** Reads the list of pages: `## ` begins a part, `### ` a group, and a list item is a page. */
export function partsOf(list: string): readonly Part[] {
  return sections(list, '## ').map(({ title, text }) => {
    const groups = sections(text, '### ').map((group) => ({ title: group.title, pages: entriesOf(group.text) }));
    return { title, groups: groups.length > 0 ? groups : [{ pages: entriesOf(text) }] };
  });
}

const sections = (text: string, mark: string) =>
  `\n${text}`
    .split(`\n${mark}`)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return { title, text: lines.join('\n') };
    });

const entriesOf = (text: string): readonly Entry[] =>
  [...text.matchAll(/^- \[([^\]]+)\]\(([\w-]+)\.md\)/gm)].map(([, title = '', name = '']) => ({ title, name }));
