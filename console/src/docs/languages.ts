const KEY = 'language';

/** Shows every sample in the language that the reader chose last, and remembers the choice. */
export function rememberLanguage(): void {
  const choose = (language: string) => {
    for (const tab of document.querySelectorAll<HTMLInputElement>(
      `.languages input[value="${CSS.escape(language)}"]`,
    ))
      tab.checked = true;
  };
  const known = read();
  if (known !== null) choose(known);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.languages') === null) return;
    // Samples above change their height, and the one that was clicked should stay in its place.
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
    write(target.value);
  });
}

/** Storage may be disabled. Then the choice lasts as long as the page. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // As above.
  }
}
