# Writes OUT, a C header with one array a file of DIR: page.html becomes `page_html`.
file(GLOB parts ${DIR}/*)
set(text "/* Made by cmake/embed.cmake from src/report/page. */\n")
foreach(part IN LISTS parts)
  get_filename_component(name ${part} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${part} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
         bytes "${bytes}")
  string(APPEND text "static const unsigned char ${name}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
