/** Adds a copy button to every code block and announces the result to screen readers. */
export function addCopyButtons(): void {
  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.role = 'status';
  document.body.append(status);
  for (const frame of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, frame, status));
    const sample = document.createElement('div');
    sample.className = 'sample';
    frame.replaceWith(sample);
    sample.append(frame, button);
  }
}

async function copy(button: HTMLElement, frame: HTMLElement, status: HTMLElement): Promise<void> {
  const done = await navigator.clipboard.writeText(frame.querySelector('code')?.textContent ?? '').then(
    () => true,
    () => false,
  );
  button.textContent = done ? 'Copied' : 'Not allowed';
  status.textContent = done ? 'Copied to the clipboard' : 'The browser doesn’t allow copying';
  setTimeout(() => {
    button.textContent = 'Copy';
    status.textContent = '';
  }, 2000);
}
