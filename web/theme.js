// Sets the theme before the first paint: the user's choice, otherwise the system's.
const chosen = localStorage.getItem('theme');
const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.dataset.theme = dark ? 'dark' : 'light';
