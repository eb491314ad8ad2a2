# Writes OUT, a C header with one array a file of DIR: page.html becomes `page_html`. With TABLE,
# a table of this name has the names of the files, without what follows their first point, and their texts.
file(GLOB parts ${DIR}/*)
cmake_path(GET DIR FILENAME folder)
set(text "/* Made by cmake/embed.cmake from the folder ${folder}. */\n")
set(rows "")
foreach(part IN LISTS parts)
  get_filename_component(name ${part} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${part} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
         bytes "${bytes}")
  string(APPEND text "static const unsigned char ${name}[] = {\n${bytes}0};\n")
  get_filename_component(stem ${part} NAME_WE)
  string(APPEND rows "    {\"${stem}\", ${name}},\n")
endforeach()
if(TABLE)
  string(APPEND text "static const struct {\n    const char *name;\n    const unsigned char *text;\n"
                     "} ${TABLE}[] = {\n${rows}};\n")
endif()
file(WRITE ${OUT} "${text}")
