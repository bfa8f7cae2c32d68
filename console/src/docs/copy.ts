/** A button on every block of code; what it did is said to screen readers as well. */
export function addCopyButtons(): void {
  const said = document.createElement('p');
  said.className = 'visually-hidden';
  said.role = 'status';
  document.body.append(said);
  for (const frame of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, frame, said));
    const sample = document.createElement('div');
    sample.className = 'sample';
    frame.replaceWith(sample);
    sample.append(frame, button);
  }
}

async function copy(button: HTMLElement, frame: HTMLElement, said: HTMLElement): Promise<void> {
  const done = await navigator.clipboard.writeText(frame.querySelector('code')?.textContent ?? '').then(
    () => true,
    () => false,
  );
  button.textContent = done ? 'Copied' : 'Not allowed';
  said.textContent = done ? 'Copied to the clipboard' : 'The browser does not allow copying';
  setTimeout(() => {
    button.textContent = 'Copy';
    said.textContent = '';
  }, 2000);
}
