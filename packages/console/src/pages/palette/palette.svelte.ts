/** Whether the command palette is open. */
class PaletteState {
  isOpen = $state(false);

  open(): void {
    this.isOpen = true;
  }
}

export const palette = new PaletteState();
