(function(){
'use strict';
var root=document.documentElement,over=document.querySelector('.over');
var dark=window.matchMedia('(prefers-color-scheme:dark)');
function isDark(){return root.dataset.theme?root.dataset.theme==='dark':dark.matches}
var button=document.createElement('button');
button.type='button';
function name(){button.textContent=isDark()?'light page':'dark page'}
button.addEventListener('click',function(){root.dataset.theme=isDark()?'light':'dark';name()});
dark.addEventListener('change',name);
name();
if(over){over.appendChild(button)}

document.querySelectorAll('.diagram .scroll').forEach(function(box){
if(box.clientHeight+4>=box.scrollHeight){return}
var whole=document.createElement('button');
whole.type='button';
function say(){whole.textContent=box.classList.contains('whole')?'show less of the diagram':'cut off below: show the whole diagram'}
whole.addEventListener('click',function(){box.classList.toggle('whole');say()});
say();
box.parentNode.insertBefore(whole,box)});

document.querySelectorAll('.scroll').forEach(function(box){
var hint=null;
function look(){
var more=box.scrollWidth>box.clientWidth+4;
if(more||box.scrollHeight>box.clientHeight+4){box.tabIndex=0}else{box.removeAttribute('tabindex')}  // keys scroll it
box.classList.toggle('more',more&&box.scrollWidth-box.clientWidth-box.scrollLeft>4);
if(more&&!hint&&box.closest('figure')){hint=document.createElement('span');hint.className='sideways';
hint.textContent='goes on to the right: scroll sideways \u2192';box.parentNode.insertBefore(hint,box.nextSibling)}
if(hint){hint.hidden=!more}}
box.addEventListener('scroll',look,{passive:true});window.addEventListener('resize',look);look()});

document.querySelectorAll('table.search').forEach(function(table){
var rows=Array.from(table.tBodies[0].rows),texts=rows.map(function(row){return row.textContent.toLowerCase()});
var kMost=100,box=document.createElement('input'),said=document.createElement('p');
box.type='search';box.placeholder='search';box.setAttribute('aria-label','search in this table');
said.className='fine';said.setAttribute('role','status');
function show(){
var words=box.value.toLowerCase().split(/\s+/).filter(Boolean),found=0;
rows.forEach(function(row,i){
var fits=words.every(function(word){return texts[i].indexOf(word)>=0});
if(fits){++found}
row.hidden=!fits||found>kMost});
said.textContent=found+' of '+rows.length+(found>kMost?', the first '+kMost+' are shown':'')}
box.addEventListener('input',show);
table.parentNode.parentNode.insertBefore(box,table.parentNode);
table.parentNode.parentNode.insertBefore(said,table.parentNode.nextSibling);
show()});

var links={};
document.querySelectorAll('nav a').forEach(function(a){links[a.getAttribute('href').slice(1)]=a});
if('IntersectionObserver' in window){
var watcher=new IntersectionObserver(function(entries){entries.forEach(function(entry){
if(entry.isIntersecting){Object.keys(links).forEach(function(id){links[id].classList.toggle('here',id===entry.target.id)})}})},
{rootMargin:'-10% 0px -80% 0px'});
document.querySelectorAll('main section[id]').forEach(function(section){watcher.observe(section)})}
})();
