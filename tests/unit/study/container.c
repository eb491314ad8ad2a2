/* The section `container` of a study: its meaning, and possible mistakes in it. */
#include "means.h"
#include "told.h"

#include <unistd.h>

#define MODEL   "model: {command: 'true'}\n"
#define SPACE   "space: {x: {int: [1, 5]}}\n"
#define TEXT(t) t, sizeof(t) - 1

/* ---- mistakes ---- */

static const struct {
    const char *name;
    const char *text;
    size_t length;
    const char *mistakes;
} cases[] = {
    {"an empty section", TEXT(MODEL SPACE "container:\n"),
     "3:1: 'container' is empty: write it as in container: {image: image.sif}"},
    {"a list", TEXT(MODEL SPACE "container: [a.sif]\n"),
     "3:12: 'container' must be a mapping, not a list: write it as in container: {image: "
     "image.sif}"},
    {"no image", TEXT(MODEL SPACE "container: {runtime: auto}\n"),
     "3:1: 'container' needs an image, as in container: {image: image.sif}"},
    {"a misspelt image", TEXT(MODEL SPACE "container: {imgae: a.sif}\n"),
     "3:13: unknown key 'imgae': did you mean 'image'?"},
    {"an image that is not there", TEXT(MODEL SPACE "container: no/image.sif\n"),
     "3:12: there is no image 'no/image.sif' in /: name a file or a folder, or write docker://NAME "
     "for an image to be fetched"},
    {"an image that is nowhere", TEXT(MODEL SPACE "container: {image: /no/image.sif}\n"),
     "3:20: there is no image '/no/image.sif': name a file or a folder, or write docker://NAME for "
     "an image to be fetched"},
    {"an image of a home folder", TEXT(MODEL SPACE "container: ~/image.sif\n"),
     "3:12: '~' means your home folder only to a shell: write the path out, as in "
     "/home/you/image.sif"},
    {"an image with a newline", TEXT(MODEL SPACE "container: \"a\\nb\"\n"),
     "3:12: a path must not have control characters"},
    {"a name without a name", TEXT(MODEL SPACE "container: 'docker://'\n"),
     "3:12: 'docker://' cannot be the name of an image: write it as in docker://python:3.12"},
    {"a name with a blank", TEXT(MODEL SPACE "container: docker://a --privileged\n"),
     "3:12: 'docker://a --privileged' cannot be the name of an image: write it as in "
     "docker://python:3.12"},
    {"a path as a name", TEXT(MODEL SPACE "container: file:///a.sif\n"),
     "3:12: write the path of the image alone: '/a.sif'"},
    {"a runtime of another name", TEXT(MODEL SPACE "container: {image: /etc, runtime: docker}\n"),
     "3:35: unknown runtime 'docker': the closest one here is podman"},
    {"a misspelt runtime", TEXT(MODEL SPACE "container: {image: /etc, runtime: aptainer}\n"),
     "3:35: 'runtime' cannot be 'aptainer': did you mean 'apptainer'?"},
    {"a function",
     TEXT("model: {function: branin}\n"
          "container: {image: /etc}\n"),
     "2:1: Wick evaluates functions itself: only programs run in a container"},
    {"words of other tools",
     TEXT(MODEL SPACE "container: {image: /etc, volumes: [/a], environment: {A: 1}, gpus: 1}\n"),
     "3:26: unknown key 'volumes': use 'binds'\n"
     "3:41: unknown key 'environment': use 'env'\n"
     "3:62: unknown key 'gpus': use gpu: true; 'gpus' of 'model' says how many a trial has"},
    {"values of a wrong type",
     TEXT(MODEL SPACE "container: {image: /etc, gpu: 2, inherit: 1, network: lan, env: [A]}\n"),
     "3:31: 'gpu' must be true or false, not '2'\n"
     "3:43: 'inherit' must be true or false, not '1'\n"
     "3:55: 'network' cannot be 'lan': use one of host, none\n"
     "3:65: 'env' must be a mapping, not a list: write it as in env: {OMP_NUM_THREADS: 4}"},
    {"a working folder outside", TEXT(MODEL SPACE "container: {image: /etc, workdir: work}\n"),
     "3:35: 'workdir' must be an absolute path inside the image, as in workdir: /workspace"},
    {"options that are none", TEXT(MODEL SPACE "container: {image: /etc, options: {}}\n"),
     "3:35: 'options' must be words for the runtime, as in options: [--fakeroot]"},
    {"no binds", TEXT(MODEL SPACE "container: {image: /etc, binds: }\n"),
     "3:33: 'binds' must be a list of at most 1000 folders, as in binds: [/data, "
     "/scratch:/inside:ro]"},
    {"binds that are none",
     TEXT(MODEL SPACE "container:\n"
                      "  image: /etc\n"
                      "  binds:\n"
                      "  - /a:/b:rx\n"
                      "  - /a:b\n"
                      "  - ':/b'\n"
                      "  - '/a,b'\n"
                      "  - ~/data\n"
                      "  - no-such-folder\n"
                      "  - \"/a\\nb\"\n"
                      "  - [/a]\n"),
     "6:5: a bind must end in ':ro' (read-only) or ':rw', not in ':rx'\n"
     "7:5: 'b' cannot be a folder of 'binds': write them as in binds: [/data, "
     "/scratch:/inside:ro], without : or , in a name\n"
     "8:5: '' cannot be a folder of 'binds': write them as in binds: [/data, /scratch:/inside:ro], "
     "without : or , in a name\n"
     "9:5: '/a,b' cannot be a folder of 'binds': write them as in binds: [/data, "
     "/scratch:/inside:ro], without : or , in a name\n"
     "10:5: '~' means your home folder only to a shell: write the path out, as in /home/you/data\n"
     "11:5: there is no file or folder 'no-such-folder' in /\n"
     "12:5: a path must not have control characters\n"
     "13:5: a single value is expected here, not a list"},
    {"a program of the folder that is not there",
     TEXT("model: {command: ./no-such-program}\n" SPACE "container: /etc\n"),
     "1:18: there is no program './no-such-program' in /"},
    {"a script that is not there",
     TEXT("model: {python: no-such.py, interpreter: python9}\n" SPACE "container: /etc\n"),
     "1:17: there is no file 'no-such.py' in /"},
    {"a container in another section", TEXT(SPACE "model: {command: 'true', container: /etc}\n"),
     "2:26: 'container' belongs at the top level of the file, not under 'model'"},
};

static void each_mistake_is_told(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tells(cases[i].name, cases[i].text, cases[i].length, cases[i].mistakes);
}

/* ---- what it means ---- */

static void every_key_is_read(void)
{
    means("all keys",
          MODEL SPACE "container:\n"
                      "  image: /etc\n"
                      "  runtime: charliecloud\n"
                      "  binds: [/data, /data:/in, '/data:/in:ro', /data:ro, '/d:/e:rw', etc]\n"
                      "  env: {A: \"a'b\\\"\\n$(id);%s ü\", B: 5, C: }\n"
                      "  inherit: false\n"
                      "  gpu: true\n"
                      "  network: none\n"
                      "  workdir: /work\n"
                      "  options: [--a, 'b c']\n",
          "container image=/etc runtime=charliecloud workdir=/work clean gpu offline\n"
          "bind /data>/data\nbind /data>/in\nbind /data>/in ro\nbind /data>/data ro\nbind /d>/e\n"
          "bind /etc>/etc\n"
          "options <--a><b c>\n"
          "variable A=<a'b\"\n$(id);%s ü>\nvariable B=<5>\nvariable C=<>\n");
}

static void other_forms_are_read(void)
{
    means("an image alone", MODEL SPACE "container: /etc\n", "container image=/etc runtime=auto\n");
    means("an image in the study's folder", MODEL SPACE "container: etc\n",
          "container image=/etc runtime=auto\n");
    means("the same in another way", MODEL SPACE "container: {image: ./etc}\n",
          "container image=/etc runtime=auto\n");
    means("binds as a mapping",
          MODEL SPACE "container: {image: etc, binds: {etc: /in, /b: , /c: ro, /d: '/in:ro'}}\n",
          "container image=/etc runtime=auto\nbind /etc>/in\nbind /b>/b\nbind /c>/c ro\n"
          "bind /d>/in ro\n");
    means("one bind", MODEL SPACE "container: {image: etc, binds: '/a:/b'}\n",
          "container image=/etc runtime=auto\nbind /a>/b\n");
    means("a name", MODEL SPACE "container: docker://python:3.12\n",
          "container image=docker://python:3.12 runtime=auto\n");
    means("a name as people type it", MODEL SPACE "container: docker:python:3.12\n",
          "container image=docker://python:3.12 runtime=auto\n");
    means("a name elsewhere", MODEL SPACE "container: oras://host/a@sha256:12\n",
          "container image=oras://host/a@sha256:12 runtime=auto\n");
    means("no container on this machine",
          MODEL SPACE "container: {image: no/image.sif, runtime: none}\n",
          "container runtime=none\n");
}

/* Programs inside the image cannot be looked up here. */
static void programs_may_be_in_the_image(void)
{
    static const char *const models[] = {
        "{command: no-such-program --x 5}",
        "{command: /no/such/program}",
        "{command: no-such-python a.py}",
        "{command: /no/python3 /no/such/script.py, warm: true}",
        "{python: /no/such/script.py, interpreter: /no/python}",
        "{r: /no/such/script.R}",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct str text = {0};
        str_printf(&text, "model: %s\n" SPACE "container: /etc\n", models[i]);
        means(models[i], text.text, "container image=/etc runtime=auto\n");
        str_free(&text);
    }
    means("a program of a folder inside",
          "model: {command: ./train}\n" SPACE "container: {image: /etc, workdir: /work}\n",
          "container image=/etc runtime=auto workdir=/work\n");
    tells("the machine's own programs",
          TEXT("model: {command: no-such-program}\n" SPACE
               "container: {image: /etc, runtime: none}\n"),
          "1:18: the program 'no-such-program' is not on PATH");
}

/* ---- nasty names ---- */

/* File names are kept byte by byte, and come back unchanged. */
static void names_of_files_are_kept(void)
{
    static const char *const names[] = {"a b", "a'b", "a\"b", "a\\b", "$(id)", "a;b", "%s%n", "ü",
                                        "-x",  "#a",  "a:b",  "a,b",  "{x}",   "&a",  "`id`"};
    char folder[] = "/tmp/wick-container-XXXXXX";
    ok(mkdtemp(folder) != NULL, "a folder");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str path = {0}, text = {0}, expected = {0};
        str_printf(&path, "%s/%s", folder, names[i]);
        FILE *file = fopen(path.text, "w");
        ok(file && fclose(file) == 0, "a file");
        str_add(&text, MODEL SPACE "container: ");
        json_put_string(&text, path.text, path.length);
        str_printf(&expected, "container image=%s runtime=auto\n", path.text);
        means(names[i], text.text, expected.text);
        str_clear(&text);
        str_add(&text, MODEL SPACE "container: ");
        json_put_string(&text, path.text + 1, path.length - 1);
        means("from the study's folder", text.text, expected.text);
        unlink(path.text);
        str_free(&path);
        str_free(&text);
        str_free(&expected);
    }
    rmdir(folder);
}

int main(void)
{
    each_mistake_is_told();
    every_key_is_read();
    other_forms_are_read();
    programs_may_be_in_the_image();
    names_of_files_are_kept();
    return tap_end();
}
