/** Keeps drafts: texts that the user has typed and not saved. They last until the tab closes. */

const prefix = 'kindforge-draft:';

export const drafts = {
  /** Returns the text under a key. */
  read(key: string): string | undefined {
    return sessionStorage.getItem(prefix + key) ?? undefined;
  },

  /** Keeps a text, unless it is too large for the browser. */
  write(key: string, text: string): void {
    try {
      sessionStorage.setItem(prefix + key, text);
    } catch {
      sessionStorage.removeItem(prefix + key);
    }
  },

  drop(key: string): void {
    sessionStorage.removeItem(prefix + key);
  },
};
