/** Adds a copy button to every code block and announces the result to screen readers. */
export function addCopyButtons(): void {
  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.role = 'status';
  document.body.append(status);
  for (const sample of document.querySelectorAll<HTMLElement>('.sample')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, sample, status));
    sample.append(button);
  }
}

async function copy(button: HTMLElement, sample: HTMLElement, status: HTMLElement): Promise<void> {
  const done = await navigator.clipboard.writeText(sample.querySelector('code')?.textContent ?? '').then(
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
