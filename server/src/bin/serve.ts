// The executable. Importing it starts the server in this process. The modules are loaded afterwards, because only traces of modules
// that are loaded from now on name the lines of the sources.
process.setSourceMapsEnabled(true);
await import('./start.js');
