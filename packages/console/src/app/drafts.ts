/** Keeps what was typed but not saved, as long as the tab is open. */

const prefix = 'kindforge-draft:';

export const drafts = {
  /** Returns the text that was kept under a key. */
  read(key: string): string | undefined {
    return sessionStorage.getItem(prefix + key) ?? undefined;
  },

  /** Keeps a text. One that is too large for the browser is not kept. */
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
