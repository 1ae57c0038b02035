/** Light or dark: as in the system, unless the user chooses. The choice stays in this tab. */

export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'kindforge-theme';
const next = { system: 'light', light: 'dark', dark: 'system' } as const;

class Theme {
  choice: ThemeChoice = $state(read());

  constructor() {
    show(this.choice);
  }

  /** Goes on to the next choice. */
  turn(): void {
    this.choice = next[this.choice];
    sessionStorage.setItem(key, this.choice);
    show(this.choice);
  }
}

export const theme = new Theme();

function read(): ThemeChoice {
  const kept = sessionStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

function show(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}
