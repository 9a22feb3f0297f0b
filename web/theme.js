// Before the first paint: the visitor's choice, else the system's.
const chosen = localStorage.getItem('theme');
const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.dataset.theme = dark ? 'dark' : 'light';
