// -i imports a module.
// opts: -i io -i string
// expect: 3
printf("%i", strlen("abc"));
